import { accessSync, appendFileSync, constants, lstatSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as yieldTurn } from 'node:timers/promises';
import { EXECUTABLE, REGULAR } from '../../../ports/file-modes.js';
import type { NotKept } from '../../../ports/workspace.js';
import { MAX_KEPT_FILE_BYTES } from '../limits.js';
import type { Shadow } from '../repository/shadow.js';
import { typesOf } from './object-types.js';
import type { ObjectWriter } from './object-writer.js';
import type { Quota } from './quota.js';

/**
 * A file whose content is not kept, because it is too large or cannot be read, gets a small content in its place that
 * says why and changes when the file does. So the file is listed as changed, but cannot fill the disk.
 */
export class Placeholders {
  /** Ends in a slash. */
  readonly #top: Buffer;
  readonly #list: string;
  readonly #writer: ObjectWriter;
  readonly #quota: Quota;
  readonly #known = new Map<string, NotKept>();

  constructor(top: string, directory: string, writer: ObjectWriter, quota: Quota) {
    this.#top = Buffer.from(`${top}/`);
    this.#list = join(directory, LIST);
    this.#writer = writer;
    this.#quota = quota;
    for (const [id, why] of readPlaceholders(directory)) this.#known.set(id, why);
  }

  /** Why a content is not kept; undefined for one that is. */
  get(contentId: string): NotKept | undefined {
    return this.#known.get(contentId);
  }

  /** Splits paths into those whose content is to be kept and, for the others, index lines with their stand-ins. */
  async replace(paths: readonly string[]): Promise<{ kept: string[]; replaced: string[] }> {
    const kept: string[] = [];
    const replaced: string[] = [];
    this.#quota.begin();
    for (const [index, path] of paths.entries()) {
      if (index % FILES_PER_TURN === 0) await yieldTurn();
      const { notKept, size, modified, mode } = this.#inspect(path);
      const why = notKept ?? ((await this.#quota.reserve(size)) ? undefined : { reason: 'storeFull' as const, size });
      if (!why) kept.push(path);
      else replaced.push(`${mode} ${this.#write(why, modified)} 0\t${path}`);
    }
    return { kept, replaced };
  }

  /** Synchronous: git has just looked at the file, so nothing waits for the disk; async takes ten times as long. */
  #inspect(path: string): { notKept?: NotKept; size: number; modified: number; mode: string } {
    const full = Buffer.concat([this.#top, Buffer.from(path, 'latin1')]);
    try {
      const found = lstatSync(full);
      const about = {
        size: found.isFile() ? found.size : 0,
        modified: found.mtimeMs,
        mode: found.mode & 0o100 ? EXECUTABLE : REGULAR,
      };
      if (!found.isFile()) return about;
      if (found.size > MAX_KEPT_FILE_BYTES) return { ...about, notKept: { reason: 'tooLarge', size: found.size } };
      return isForbidden(full) ? { ...about, notKept: { reason: 'unreadable', size: found.size } } : about;
    } catch {
      return { size: 0, modified: 0, mode: REGULAR }; // the file has vanished; git will notice too
    }
  }

  #write(why: NotKept, modified: number): string {
    const text = `${BEGINNING}${JSON.stringify({ ...why, modified })}\n`;
    const id = this.#writer.write('blob', Buffer.from(text));
    this.note(id, why);
    return id;
  }

  /** Takes note that this content is a stand-in. */
  note(id: string, why: NotKept): void {
    if (this.#known.has(id)) return;
    this.#known.set(id, why);
    appendFileSync(this.#list, lineFor(id, why));
  }
}

/** Files that are looked at before other work of the host gets its turn. */
const FILES_PER_TURN = 64;

const BEGINNING = 'The content of this file is not kept: ';
const LIST = 'stand-ins';

/** Why the real content is not kept, if this one is a stand-in. */
export function whyNotKept(directory: string, contentId: string, content: Buffer): NotKept | undefined {
  return content.toString('latin1', 0, BEGINNING.length) === BEGINNING
    ? readPlaceholders(directory).get(contentId)
    : undefined;
}

/** Drops stand-ins that are no longer in the store: a large file leaves one each time it changes. */
export async function forgetPlaceholders({ run, directory }: Shadow): Promise<void> {
  const known = [...readPlaceholders(directory)];
  const existing = await typesOf(
    run,
    known.map(([id]) => id),
  );
  if (existing.size === known.length) return;
  const lines = known.flatMap(([id, why]) => (existing.has(id) ? lineFor(id, why) : []));
  const list = join(directory, LIST);
  await writeFile(`${list}.new`, lines.join(''));
  await rename(`${list}.new`, list);
}

function lineFor(id: string, why: NotKept): string {
  return `${id} ${JSON.stringify(why)}\n`;
}

function readPlaceholders(directory: string): Map<string, NotKept> {
  let text = '';
  try {
    text = readFileSync(join(directory, LIST), 'utf8');
  } catch {
    // none yet
  }
  const lines = text.split('\n').filter((line) => line.includes(' {') && line.endsWith('}'));
  return new Map(
    lines.map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(0, space), JSON.parse(line.slice(space + 1)) as NotKept];
    }),
  );
}

function isForbidden(path: Buffer): boolean {
  try {
    accessSync(path, constants.R_OK);
    return false;
  } catch (error) {
    // A file that has just vanished is not a forbidden one.
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
