import { lstatSync, readFileSync } from 'node:fs';
import { ToolProblem } from '../tool-problem.js';
import type { Place } from './folder.js';
import { explainSystemError, isSystemError } from './system-error.js';

/** Bytes of a file that is changed: both sides of every edit are stored and crossed a pipe before. */
export const MAX_EDIT_BYTES = 4 * 1024 * 1024;

/** Bytes of a file that `/read` answers with: the text becomes part of the chat, which every client loads. */
export const MAX_READ_BYTES = 256 * 1024;

export interface FileContent {
  readonly bytes: Buffer;
  readonly mode: number;
}

/** What is in a file, or undefined when there is none. Throws a ToolProblem for anything but a file of bearable size. */
export function readContent(place: Place, maxBytes = MAX_EDIT_BYTES): FileContent | undefined {
  try {
    // Looked at before it is opened: opening a pipe would wait forever.
    const { size, mode, isFile, isDirectory } = describe(place.real);
    if (isDirectory) throw new ToolProblem('isFolder', `${place.shown} is a folder.`);
    if (!isFile) throw new ToolProblem('notFile', `${place.shown} is not a regular file.`);
    if (size > maxBytes) throw tooLarge(place, size, maxBytes);
    return { bytes: readFileSync(place.real), mode };
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw explainSystemError(error, place.shown);
  }
}

export function readExisting(place: Place, maxBytes = MAX_EDIT_BYTES): FileContent {
  const content = readContent(place, maxBytes);
  if (!content) throw new ToolProblem('notFound', `${place.shown} does not exist.`);
  return content;
}

/** The bytes as text that turns into the same bytes again, or undefined when they are no such text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function textOf(place: Place, { bytes }: FileContent): string {
  const text = decodeText(bytes);
  if (text === undefined) throw new ToolProblem('notText', `${place.shown} is not a text file in UTF-8.`);
  return text;
}

export function tooLarge(place: Place, size: number, maxBytes: number): ToolProblem {
  const limit = `${Math.floor(maxBytes / 1024)} KiB`;
  return new ToolProblem('tooLarge', `${place.shown} is too large: ${size} bytes, the limit is ${limit}.`);
}

function describe(path: string) {
  const stats = lstatSync(path);
  const { size, mode } = stats;
  return { size, mode: mode & 0o7777, isFile: stats.isFile(), isDirectory: stats.isDirectory() };
}
