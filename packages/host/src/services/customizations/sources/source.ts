import type { LoadedContainer } from '../found.js';

/** Somewhere on this machine where customizations are kept. */
export interface Source {
  /** An absolute path; all that matters is in it. */
  readonly folder: string;
  /** Only these files of it matter, by their paths in it; everything when absent. */
  readonly files?: readonly string[];
  /** What is there now. Nothing when there is nothing to show. */
  load(): Promise<readonly LoadedContainer[]>;
}
