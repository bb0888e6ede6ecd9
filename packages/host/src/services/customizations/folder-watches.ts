import { basename, dirname, join } from 'node:path';
import { isInside } from '../../paths/inside.js';
import { type FileReader, type FileScope, FilesError } from '../../ports/files.js';
import type { Log } from '../../ports/log.js';
import { WatchError, type Watcher, type Watching } from '../../ports/watcher.js';
import { LookedAt } from './looked-at.js';
import type { Source } from './sources/source.js';

export interface WatchPorts {
  readonly files: FileReader;
  readonly watcher: Watcher;
  readonly scope: FileScope;
  readonly base: string;
  readonly log: Log;
}

interface Wanted {
  /** As the source names it; changes are reported under this name. */
  readonly folder: string;
  readonly real: string;
  /** The names in it that matter; without them, everything below does. */
  readonly only?: readonly string[];
}

/**
 * Watches the folders of sources, recursively if they exist; otherwise the nearest existing parent, where they would
 * appear. The workspace as a whole is never watched.
 */
export class FolderWatches {
  readonly #ports: WatchPorts;
  readonly #touched: (path?: string) => void;
  readonly #watches = new Map<string, Watching>();
  /** Whether all that the sources need is watched, but for the folders in #partial. */
  #isComplete = false;
  /** Watches that lack a subfolder. */
  readonly #partial = new Set<string>();
  #isClosed = false;

  constructor(ports: WatchPorts, touched: (path?: string) => void) {
    this.#ports = ports;
    this.#touched = touched;
  }

  /** Watches what the sources need now. Returns whether any watch was added. */
  async update(sources: readonly Source[]): Promise<boolean> {
    const wanted = new Map<string, Wanted>();
    const lookedAt = new LookedAt(this.#ports.files, this.#ports.base);
    let isFound = true;
    for (const source of sources) {
      const wants = await this.#wantedBy(source, lookedAt);
      if (wants.length === 0) isFound = false;
      for (const want of wants) wanted.set(keyOf(want), want);
    }
    for (const [key, watching] of this.#watches) {
      if (wanted.has(key)) continue;
      watching.stop();
      this.#watches.delete(key);
      this.#partial.delete(key);
    }
    const added = [...wanted].filter(([key]) => !this.#watches.has(key));
    await Promise.all(added.map(([key, want]) => this.#watch(key, want)));
    this.#isComplete = isFound && [...wanted.keys()].every((key) => this.#watches.has(key));
    return added.some(([key]) => this.#watches.has(key));
  }

  /** Resolves to whether every change made so far has been reported. */
  async caughtUp(): Promise<boolean> {
    if (!this.#isComplete || !(await this.#ports.watcher.caughtUp?.())) return false;
    await Promise.all([...this.#watches.values()].map((watching) => watching.settled?.()));
    return this.#isComplete && this.#partial.size === 0;
  }

  close(): void {
    this.#isClosed = true;
    for (const watching of this.#watches.values()) watching.stop();
    this.#watches.clear();
  }

  async #wantedBy({ folder, files }: Source, lookedAt: LookedAt): Promise<Wanted[]> {
    if (!files) return this.#nearest(folder, lookedAt);
    const paths = files.map((file) => join(folder, file));
    const namesIn = (at: string) => paths.filter((path) => dirname(path) === at).map((path) => basename(path));
    const folders = [...new Set(paths.map((path) => dirname(path)))];
    return (await Promise.all(folders.map((at) => this.#nearest(at, lookedAt, namesIn(at))))).flat();
  }

  /** The folder, or its nearest existing parent, which is watched for the folder to appear. */
  async #nearest(folder: string, lookedAt: LookedAt, names?: readonly string[]): Promise<Wanted[]> {
    const { scope, base } = this.#ports;
    let only = names;
    for (let at = folder; isInside(at, base); at = dirname(at)) {
      try {
        const { type, realPath } = await lookedAt.describe(at, scope);
        if (type === 'directory') return [{ folder: at, real: realPath, ...(only && { only }) }];
      } catch (error) {
        if (!(error instanceof FilesError)) throw error;
      }
      if (at === dirname(at)) break;
      only = [basename(at)];
    }
    return [];
  }

  async #watch(key: string, { folder, real, only }: Wanted): Promise<void> {
    const ended = () => {
      this.#partial.delete(key);
      if (this.#watches.delete(key)) this.#touched(folder);
    };
    try {
      const watching = await this.#ports.watcher.watch(
        real,
        only === undefined,
        {
          changed: (changes) => {
            for (const { path } of changes) this.#touched(folder + path.slice(real.length));
          },
          missed: () => this.#touched(folder),
          partial: () => void this.#partial.add(key),
          ended,
        },
        only ? { only } : { except: SKIPPED.map((name) => join(real, name)) },
      );
      if (this.#isClosed) watching.stop();
      else this.#watches.set(key, watching);
    } catch (error) {
      if (!(error instanceof WatchError)) throw error;
      this.#ports.log.write('warn', 'customizations.watch-failed', 'a folder with customizations cannot be watched', {
        error: error.message,
      });
    }
  }
}

/** Not watched: dependencies that a plugin installed, and git's own files. */
const SKIPPED = ['node_modules', '.git'];

function keyOf({ folder, real, only }: Wanted): string {
  return JSON.stringify([folder, real, only]);
}
