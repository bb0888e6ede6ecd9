import type { LoadedContainer } from '../found.js';

/** A place on this machine that holds customizations. */
export interface Source {
  /** The absolute path of the folder that contains it all. */
  readonly folder: string;
  /** If set, only these files count, by their paths in the folder. */
  readonly files?: readonly string[];
  /** The containers found now; empty if there is nothing to show. */
  load(): Promise<readonly LoadedContainer[]>;
}
