import type { FileChange } from './workspace.js';

/** Contents of files in the host's own store, by id. */
export interface Contents {
  read(id: string): Promise<Uint8Array | undefined>;
  /** Puts content into the store, for good. */
  write(content: Uint8Array): Promise<string>;
  /** Makes these contents the host's own and durable; rejects when one of them is gone. */
  secure(ids: readonly string[]): Promise<void>;
  /** How two texts differ, without lines of context; undefined when one of them is not text. */
  hunks(before: string, after: string): Promise<readonly Hunk[] | undefined>;
  /** Three texts made one, or where that cannot be done; undefined when one of them is not text. */
  merge(base: string, ours: string, theirs: string): Promise<Merged | undefined>;
  /** The changes as one unified patch that `git apply` takes. */
  patch(changes: readonly FileChange[]): Promise<Uint8Array>;
}

/** Lines from `start` (counted from 0); with a count of 0 the place before that line. */
export interface LineSpan {
  readonly start: number;
  readonly count: number;
}

/** Lines that were replaced by others. */
export interface Hunk {
  readonly before: LineSpan;
  readonly after: LineSpan;
}

/** Three texts made one, or what stands against it. */
export type Merged =
  | { readonly kind: 'clean'; readonly id: string }
  /** Lines of ours that the others want differently. */
  | { readonly kind: 'conflict'; readonly lines: readonly LineSpan[] };
