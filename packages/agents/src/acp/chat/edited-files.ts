import type { AgentFiles } from '@moorage/host/ports';
import { decodeText } from '../../shared/files/content.js';
import { type Fields, fields, text } from '../../shared/untrusted.js';
import { MAX_CONTENTS } from '../mapping/limits.js';
import { type FileText, type ReportedDiff, wholeDiff } from '../mapping/whole-diff.js';

/** Bytes of a file that is read to show an edit as a whole. Of larger ones only the changed part is shown. */
const MAX_SHOWN_BYTES = 1024 * 1024;

/** UTF-16 units of files held in memory while calls of a turn change them. */
const MAX_HELD_CHARS = 16 * 1024 * 1024;

type ReadFiles = Pick<AgentFiles, 'read'>;

/**
 * Turns an agent's edits into edits of whole files. Agents send only the lines that they change, or only what they write,
 * so the file is read when an edit is first mentioned, before the user is asked, and when it is done.
 */
export class EditedFiles {
  readonly #files: ReadFiles;
  /** What was there before, by call and path. */
  readonly #before = new Map<string, Map<string, FileText>>();
  #held = 0;

  constructor(files: ReadFiles) {
    this.#files = files;
  }

  /** The update of a call with its edits as whole files; undefined when it has none. `known`: its content so far. */
  complete(update: Fields, known: readonly unknown[]): Promise<Fields> | undefined {
    const { content, status } = update;
    const isDone = status === 'completed';
    if (status === 'failed') this.#forget(text(update.toolCallId) ?? '');
    const contents = Array.isArray(content) ? content : isDone ? known : [];
    if (status === 'failed' || diffsIn(contents).length === 0) return undefined;
    return this.#complete(update, contents, { isAsked: false, isDone });
  }

  /** The same for a call that the user is about to be asked about, so nothing has been done yet. */
  async asked(call: Fields, known: readonly unknown[]): Promise<Fields> {
    const contents = Array.isArray(call.content) ? call.content : known;
    return this.#complete(call, contents, { isAsked: true, isDone: false });
  }

  async #complete(update: Fields, all: readonly unknown[], moment: Moment): Promise<Fields> {
    const contents = all.slice(0, MAX_CONTENTS);
    const diffs = diffsIn(contents);
    if (diffs.length === 0) return update;
    const call = text(update.toolCallId) ?? '';
    const { rawInput } = update;
    const everywhere = [fields(rawInput).replace_all, fields(rawInput).replaceAll].includes(true);
    const paths = [...new Set(diffs.map(({ path }) => path))];
    const whole = new Map<string, object>();
    for (const path of paths) {
      const now = await this.#read(path);
      const before = this.#lookedAt(call, path, now, moment);
      const ofFile = diffs.filter((diff) => diff.path === path);
      const made = wholeDiff(ofFile.map(reportedDiff), { before, now, everywhere });
      const [first] = ofFile;
      if (made && first) whole.set(path, { ...first.content, ...made, ...(made.oldText !== null && notAdded(first)) });
    }
    if (moment.isDone) this.#forget(call);
    return { ...update, content: merged(contents, whole) };
  }

  /** What was there before the call. If we first hear of it when it is done, it is too late to know. */
  #lookedAt(call: string, path: string, now: FileText, { isAsked, isDone }: Moment): FileText {
    const files = this.#before.get(call) ?? new Map<string, FileText>();
    const isKnown = files.has(path) && !isAsked;
    if (isKnown || (isDone && !files.has(path))) return files.get(path);
    const chars = (now?.length ?? 0) - (files.get(path)?.length ?? 0);
    if (this.#held + chars > MAX_HELD_CHARS) return now;
    this.#held += chars;
    this.#before.set(call, files.set(path, now));
    return now;
  }

  #forget(call: string): void {
    for (const file of this.#before.get(call)?.values() ?? []) this.#held -= file?.length ?? 0;
    this.#before.delete(call);
  }

  async #read(path: string): Promise<FileText> {
    try {
      const { content } = await this.#files.read(path, MAX_SHOWN_BYTES);
      return content ? decodeText(content.bytes) : null;
    } catch {
      return undefined; // outside the folder or too large: shown as the agent sent it
    }
  }
}

interface Moment {
  readonly isAsked: boolean;
  readonly isDone: boolean;
}

interface DiffContent {
  readonly path: string;
  readonly newText: string;
  readonly content: Fields;
}

/** Without deletions, which agents already describe as a whole. */
function diffsIn(contents: readonly unknown[]): DiffContent[] {
  return contents.flatMap((item) => {
    const content = fields(item);
    const path = text(content.path);
    const newText = text(content.newText);
    const isDiff = content.type === 'diff' && fields(content._meta).kind !== 'delete';
    return isDiff && path && newText !== undefined ? { path, newText, content } : [];
  });
}

function reportedDiff({ content, newText }: DiffContent): ReportedDiff {
  return { oldText: text(content.oldText), newText };
}

/** An agent may call a file added that it replaced. */
function notAdded({ content }: DiffContent): object {
  const { kind: _kind, ...others } = fields(content._meta);
  return content._meta === undefined ? {} : { _meta: others };
}

/** One edit for each file that is known as a whole, in the place of its first. */
function merged(contents: readonly unknown[], whole: ReadonlyMap<string, object>): unknown[] {
  const shown = new Set<string>();
  return contents.flatMap((item) => {
    const [diff] = diffsIn([item]);
    const made = diff && whole.get(diff.path);
    if (!diff || !made) return [item];
    if (shown.has(diff.path)) return [];
    shown.add(diff.path);
    return [made];
  });
}
