import { accessSync, appendFileSync, constants, lstatSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { EXECUTABLE, REGULAR } from '../../ports/file-modes.js';
import type { NotKept } from '../../ports/workspace.js';
import { MAX_KEPT_FILE_BYTES } from './limits.js';
import { typesOf } from './object-types.js';
import type { ObjectWriter } from './object-writer.js';
import type { Room } from './room.js';
import type { Shadow } from './shadow.js';

/**
 * Files whose content is not kept, because it is too large or cannot be read, are remembered by a small content in its
 * place that says why and changes when the file does. So they are listed, and cannot fill the disk.
 */
export class StandIns {
  /** With a slash at its end. */
  readonly #top: Buffer;
  readonly #list: string;
  readonly #writer: ObjectWriter;
  readonly #room: Room;
  readonly #known = new Map<string, NotKept>();

  constructor(top: string, directory: string, writer: ObjectWriter, room: Room) {
    this.#top = Buffer.from(`${top}/`);
    this.#list = join(directory, LIST);
    this.#writer = writer;
    this.#room = room;
    for (const [id, why] of readStandIns(directory)) this.#known.set(id, why);
  }

  /** Why a content is not kept; undefined for one that is. */
  get(contentId: string): NotKept | undefined {
    return this.#known.get(contentId);
  }

  /** Parts paths into those whose content is to be kept, and lines for the index that stand for the others. */
  async replace(paths: readonly string[]): Promise<{ kept: string[]; replaced: string[] }> {
    const kept: string[] = [];
    const replaced: string[] = [];
    this.#room.beginLook();
    for (const [index, path] of paths.entries()) {
      if (index % AT_ONCE === 0) await othersTurn();
      const { notKept, size, modified, mode } = this.#look(path);
      const why = notKept ?? ((await this.#room.takes(size)) ? undefined : { reason: 'storeFull' as const, size });
      if (!why) kept.push(path);
      else replaced.push(`${mode} ${this.#write(why, modified)} 0\t${path}`);
    }
    return { kept, replaced };
  }

  /** Git has just looked at it, so the disk need not be waited for, and waiting would take ten times as long. */
  #look(path: string): { notKept?: NotKept; size: number; modified: number; mode: string } {
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
      return { size: 0, modified: 0, mode: REGULAR }; // gone again: git sees that as well
    }
  }

  #write(why: NotKept, modified: number): string {
    const text = `${BEGINNING}${JSON.stringify({ ...why, modified })}\n`;
    const id = this.#writer.write('blob', Buffer.from(text));
    if (this.#known.has(id)) return id;
    this.#known.set(id, why);
    appendFileSync(this.#list, lineFor(id, why));
    return id;
  }
}

/** Files that are asked about before others get their turn. */
const AT_ONCE = 64;

const BEGINNING = 'The content of this file is not kept: ';
const LIST = 'stand-ins';

/** Why a content is not kept, when it is one that stands for another. */
export function whyNotKept(directory: string, contentId: string, content: Buffer): NotKept | undefined {
  return content.subarray(0, BEGINNING.length).toString() === BEGINNING
    ? readStandIns(directory).get(contentId)
    : undefined;
}

/** Those that are not in the store any more are not asked for again: a large file leaves one each time that it changes. */
export async function forgetStandIns({ run, directory }: Shadow): Promise<void> {
  const known = [...readStandIns(directory)];
  const there = await typesOf(
    run,
    known.map(([id]) => id),
  );
  if (there.size === known.length) return;
  const lines = known.flatMap(([id, why]) => (there.has(id) ? lineFor(id, why) : []));
  const list = join(directory, LIST);
  await writeFile(`${list}.new`, lines.join(''));
  await rename(`${list}.new`, list);
}

function lineFor(id: string, why: NotKept): string {
  return `${id} ${JSON.stringify(why)}\n`;
}

function readStandIns(directory: string): Map<string, NotKept> {
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
    // A file that went away between two looks is not one that may not be read.
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
