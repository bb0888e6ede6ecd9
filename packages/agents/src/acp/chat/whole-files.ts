import type { AgentFiles } from '@ahpd/host/ports';
import { type Fields, fields, list, text } from '../untrusted.js';

/** Bytes of a file that is read to show an edit as a whole; of larger ones only the changed part is shown. */
const MAX_SHOWN_BYTES = 1024 * 1024;

/**
 * Completes diffs of a call that show only the lines that change, from the files as they are before the edit. A request
 * may leave out what the call has told before (`known`).
 */
export async function withWholeFiles(call: unknown, known: readonly unknown[], files: ReadFiles): Promise<Fields> {
  const told = fields(call);
  const contents = Array.isArray(told.content) ? told.content : known;
  if (contents.length === 0) return told;
  return { ...told, content: await Promise.all(list(contents).map((content) => wholeFile(content, files))) };
}

type ReadFiles = Pick<AgentFiles, 'read'>;

async function wholeFile(content: unknown, files: ReadFiles): Promise<unknown> {
  const diff = fields(content);
  const path = text(diff.path);
  const newText = text(diff.newText);
  if (diff.type !== 'diff' || !path || newText === undefined) return content;
  try {
    const { content: file } = await files.read(path, MAX_SHOWN_BYTES);
    if (!file) return { ...diff, oldText: null };
    const oldText = text(diff.oldText) ?? '';
    const before = Buffer.from(file.bytes).toString();
    const at = before.indexOf(oldText);
    const isPart = oldText !== '' && before !== oldText && at >= 0 && before.indexOf(oldText, at + 1) < 0;
    if (!isPart) return diff;
    return { ...diff, oldText: before, newText: before.slice(0, at) + newText + before.slice(at + oldText.length) };
  } catch {
    return content; // outside of the folder, too large or no text: it is shown as the agent sent it
  }
}
