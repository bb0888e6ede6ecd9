import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkSqliteStore,
  lockFolder,
  openDamagedStore,
  openSqliteStore,
  type Recovery,
  recoverStore,
  StoreError,
} from '@moorage/host';
import { prepareDataFolder, requireStore } from '../data-folder.js';
import { exchange } from './exchange.js';

export interface Outcome {
  readonly lines: readonly string[];
  readonly isWhole: boolean;
  readonly recovery: Recovery;
}

/** Checks a whole store and, unless `checkOnly`, replaces a damaged one by a new one with all that can still be read. */
export function recover(dataDir: string, checkOnly: boolean): Outcome {
  const file = requireStore(dataDir);
  prepareDataFolder(dataDir);
  const lock = lockFolder(dataDir);
  try {
    const recovered = join(dataDir, 'store.sqlite.recovering');
    const recovery = rescue(file, recovered);
    try {
      // SQLite may write to a file that it opens, so one that is known to be damaged is left to us: it is to be kept.
      const damage = recovery.losses.length > 0 ? undefined : findDamage(file);
      const isWhole = damage === undefined && recovery.losses.length === 0;
      if (isWhole) return { isWhole, recovery, lines: [`The store ${file} is whole: ${contentOf(recovery)}.`] };
      const losses = recovery.losses.map((loss) => `  ${loss}`);
      const found = damage ?? `The store ${file} is damaged.`;
      if (checkOnly) return { isWhole, recovery, lines: [found, `Can be saved: ${contentOf(recovery)}.`, ...losses] };
      const kept = exchange(file, recovered);
      const report = losses.length === 0 ? ['Nothing that was stored is missing.'] : ['Lost or not whole:', ...losses];
      return {
        isWhole,
        recovery,
        lines: [`Saved: ${contentOf(recovery)}.`, ...report, `The damaged store is kept: ${kept}`],
      };
    } finally {
      for (const end of ['', '-wal', '-shm']) rmSync(recovered + end, { force: true });
    }
  } finally {
    lock.release();
  }
}

function rescue(file: string, into: string): Recovery {
  for (const end of ['', '-wal', '-shm']) rmSync(into + end, { force: true }); // left by a recovery that was interrupted
  const damaged = openDamagedStore(file);
  try {
    const store = openSqliteStore({ file: into, synchronous: 'full' });
    try {
      return recoverStore(damaged, store, Date.now());
    } finally {
      store.close();
    }
  } finally {
    damaged.close();
  }
}

/** What SQLite itself complains about. It does not notice when a text in the file no longer makes sense. */
function findDamage(file: string): string | undefined {
  try {
    checkSqliteStore(file);
    return undefined;
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'broken') return error.message;
    throw error;
  }
}

function contentOf({ sessions, chats, documents }: Recovery): string {
  return `${sessions} sessions with ${chats} chats, and ${documents} documents`;
}
