import type { FileChange } from './workspace.js';

/** File contents in the host's own store, by content id. Every promise rejects only with a FolderEditError. */
export interface Contents {
  /** Undefined when the content is unknown. */
  read(id: string): Promise<Uint8Array | undefined>;
  /** Stores content durably and returns its id. */
  write(content: Uint8Array): Promise<string>;
  /** The lines in which two texts differ, without context; undefined when one of them is not text. */
  hunks(before: string, after: string): Promise<readonly Hunk[] | undefined>;
  /** A three-way merge of texts; a clean result is stored. Undefined when one of them is not text. */
  merge(base: string, ours: string, theirs: string): Promise<Merged | undefined>;
  /** The changes as one unified patch that `git apply` accepts. */
  patch(changes: readonly FileChange[]): Promise<Uint8Array>;
}

/** `count` lines from line `start`, counted from 0. With a count of 0, the position before that line. */
export interface LineSpan {
  /** The first line, counted from 0. */
  readonly start: number;
  /** How many lines; 0 for a place between two. */
  readonly count: number;
}

/** Lines that were replaced by others. */
export interface Hunk {
  /** The lines in the older text. */
  readonly before: LineSpan;
  /** The lines in the newer text. */
  readonly after: LineSpan;
}

/** The result of a three-way merge. */
export type Merged =
  /** `id` is the content id of the merged text. */
  | { readonly kind: 'clean'; readonly id: string }
  /** `lines` are lines of `ours` that `theirs` changes differently. */
  | { readonly kind: 'conflict'; readonly lines: readonly LineSpan[] };
