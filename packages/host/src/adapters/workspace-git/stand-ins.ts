import { appendFileSync, readFileSync } from 'node:fs';
import { access, constants, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { EXECUTABLE, REGULAR } from '../../ports/file-modes.js';
import type { NotKept } from '../../ports/workspace.js';
import { MAX_KEPT_FILE_BYTES, MAX_KEPT_TOTAL_BYTES } from './limits.js';
import type { ObjectWriter } from './object-writer.js';
import { storedBytes } from './stored-bytes.js';

/**
 * Files whose content is not kept, because it is too large or cannot be read, are remembered by a small content in its
 * place that says why and changes when the file does. So they are listed, and cannot fill the disk.
 */
export class StandIns {
  readonly #top: string;
  readonly #directory: string;
  readonly #list: string;
  readonly #writer: ObjectWriter;
  readonly #known = new Map<string, NotKept>();

  constructor(top: string, directory: string, writer: ObjectWriter) {
    this.#top = top;
    this.#directory = directory;
    this.#list = join(directory, LIST);
    this.#writer = writer;
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
    let bytes = 0;
    let left = Number.POSITIVE_INFINITY;
    for (let at = 0; at < paths.length; at += CHUNK) {
      const chunk = paths.slice(at, at + CHUNK);
      const found = await Promise.all(chunk.map((path) => this.#look(path)));
      for (const [index, { notKept, size, modified, mode }] of found.entries()) {
        const path = chunk[index] ?? '';
        bytes += notKept ? 0 : size;
        // Most looks find little: how full the store is matters only when it could overflow.
        if (bytes > WORTH_MEASURING && left === Number.POSITIVE_INFINITY)
          left = MAX_KEPT_TOTAL_BYTES - (await storedBytes(this.#directory));
        const why = notKept ?? (bytes > left ? { reason: 'storeFull' as const, size } : undefined);
        if (!why) kept.push(path);
        else replaced.push(`${mode} ${this.#write(why, modified)} 0\t${path}`);
      }
    }
    return { kept, replaced };
  }

  async #look(path: string): Promise<{ notKept?: NotKept; size: number; modified: number; mode: string }> {
    const full = Buffer.concat([Buffer.from(`${this.#top}/`), Buffer.from(path, 'latin1')]);
    try {
      const found = await lstat(full);
      const about = {
        size: found.isFile() ? found.size : 0,
        modified: found.mtimeMs,
        mode: found.mode & 0o100 ? EXECUTABLE : REGULAR,
      };
      if (!found.isFile()) return about;
      if (found.size > MAX_KEPT_FILE_BYTES) return { ...about, notKept: { reason: 'tooLarge', size: found.size } };
      const isForbidden = await access(full, constants.R_OK).then(() => false, isRefusal);
      return isForbidden ? { ...about, notKept: { reason: 'unreadable', size: found.size } } : about;
    } catch {
      return { size: 0, modified: 0, mode: REGULAR }; // gone again: git sees that as well
    }
  }

  #write(why: NotKept, modified: number): string {
    const text = `${BEGINNING}${JSON.stringify({ ...why, modified })}\n`;
    const id = this.#writer.write('blob', Buffer.from(text));
    if (this.#known.has(id)) return id;
    this.#known.set(id, why);
    appendFileSync(this.#list, `${id} ${JSON.stringify(why)}\n`);
    return id;
  }
}

/** Files that are asked about at once. */
const CHUNK = 256;

/** Bytes of new content from which on it is asked how full the store is. */
const WORTH_MEASURING = 16 * 1024 * 1024;

const BEGINNING = 'The content of this file is not kept: ';
const LIST = 'stand-ins';

/** Why a content is not kept, when it is one that stands for another. */
export function whyNotKept(directory: string, contentId: string, content: Buffer): NotKept | undefined {
  return content.subarray(0, BEGINNING.length).toString() === BEGINNING
    ? readStandIns(directory).get(contentId)
    : undefined;
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

/** A file that went away between two looks is not one that may not be read. */
function isRefusal(error: NodeJS.ErrnoException): boolean {
  return error.code !== 'ENOENT' && error.code !== 'ENOTDIR';
}
