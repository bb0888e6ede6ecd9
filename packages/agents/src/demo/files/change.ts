import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolProblem } from '../tool-problem.js';
import { type FileContent, MAX_EDIT_BYTES, readContent, readExisting, textOf, tooLarge } from './content.js';
import type { Folder, Place } from './folder.js';
import { withLineEndingsOf } from './line-endings.js';
import { explainSystemError } from './system-error.js';
import { writeAtomically } from './write-atomically.js';

export interface FileSide {
  readonly uri: string;
  readonly bytes: Uint8Array;
}

/** A change of one file that was worked out and not made yet. */
export interface FileChange {
  /** Absent when the file is created. */
  readonly before?: FileSide;
  /** Absent when the file is deleted. */
  readonly after?: FileSide;
  /** Makes the change. Throws a ToolProblem, and has changed nothing, when the file is no longer as `before`. */
  apply(): void;
}

export function planWrite(folder: Folder, { path, text }: { path: string; text: string }): FileChange {
  const place = folder.locate(path);
  return rewrite(folder, path, place, readContent(place), text);
}

export function planAppend(folder: Folder, { path, text }: { path: string; text: string }): FileChange {
  const place = folder.locate(path);
  const current = readContent(place);
  const existing = current ? textOf(place, current) : '';
  return rewrite(folder, path, place, current, existing + withLineEndingsOf(existing, text));
}

export function planReplace(folder: Folder, edit: { path: string; old: string; new: string }): FileChange {
  const place = folder.locate(edit.path);
  const current = readExisting(place);
  const existing = textOf(place, current);
  const old = withLineEndingsOf(existing, edit.old);
  const at = old === '' ? -1 : existing.indexOf(old);
  if (at < 0) throw new ToolProblem('noOccurrence', `${place.shown} does not contain ${quote(edit.old)}.`);
  const text = existing.slice(0, at) + withLineEndingsOf(existing, edit.new) + existing.slice(at + old.length);
  return rewrite(folder, edit.path, place, current, text);
}

export function planDelete(folder: Folder, { path }: { path: string }): FileChange {
  const place = ownFile(folder, path);
  const current = readExisting(place);
  return {
    before: { uri: place.uri, bytes: current.bytes },
    apply() {
      expectUnchanged(folder, path, place, current);
      attempt(place, () => rmSync(place.real));
    },
  };
}

export function planRename(folder: Folder, { from, to }: { from: string; to: string }): FileChange {
  const source = ownFile(folder, from);
  const current = readExisting(source);
  const target = folder.locate(to);
  expectFree(target);
  return {
    before: { uri: source.uri, bytes: current.bytes },
    after: { uri: target.uri, bytes: current.bytes },
    apply() {
      expectUnchanged(folder, from, source, current);
      expectUnchanged(folder, to, target, undefined);
      attempt(target, () => {
        mkdirSync(dirname(target.real), { recursive: true });
        renameSync(source.real, target.real);
      });
    },
  };
}

function rewrite(
  folder: Folder,
  path: string,
  place: Place,
  current: FileContent | undefined,
  text: string,
): FileChange {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_EDIT_BYTES) throw tooLarge(place, bytes.length, MAX_EDIT_BYTES);
  return {
    ...(current && { before: { uri: place.uri, bytes: current.bytes } }),
    after: { uri: place.uri, bytes },
    apply() {
      expectUnchanged(folder, path, place, current);
      attempt(place, () => writeAtomically(place.real, bytes, current?.mode));
    },
  };
}

/** Deleting or renaming a symbolic link is not what its content suggests, so it is left alone. */
function ownFile(folder: Folder, path: string): Place {
  const place = folder.locate(path);
  if (place.isLink) throw new ToolProblem('isLink', `${path} is a symbolic link.`);
  return place;
}

function expectFree(place: Place): void {
  if (place.exists) throw new ToolProblem('exists', `${place.shown} exists already.`);
}

/** Looked up anew: the file, or a symbolic link on the way to it, may have changed since the change was worked out. */
function expectUnchanged(folder: Folder, path: string, place: Place, expected: FileContent | undefined): void {
  const now = folder.locate(path);
  const current = readContent(now);
  const same = expected ? current?.bytes.equals(expected.bytes) : !current;
  if (!same || now.real !== place.real)
    throw new ToolProblem('changed', `${place.shown} has just been changed by somebody else.`);
}

function attempt(place: Place, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw explainSystemError(error, place.shown);
  }
}

function quote(text: string): string {
  const start = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(start);
}
