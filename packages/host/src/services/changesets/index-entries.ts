import type { IndexEntry } from '../../ports/user-index.js';

/** Whether two entries of the index have the same content, mode and marks; undefined stands for no entry. */
export function isSameEntry(one: IndexEntry | undefined, other: IndexEntry | undefined): boolean {
  return isSameContent(one, other) && String(one?.marks ?? []) === String(other?.marks ?? []);
}

/** Whether two entries have the same content and mode, whatever the user told git about the file. */
export function isSameContent(one: IndexEntry | undefined, other: IndexEntry | undefined): boolean {
  return one?.id === other?.id && one?.mode === other?.mode;
}
