import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryDisk, createMemoryStore } from '../../src/adapters/store-memory/index.js';
import { openDamagedStore, openSqliteStore } from '../../src/adapters/store-sqlite/index.js';
import type { DamageableStore } from '../../src/testing/damaged-store-contract.js';
import type { StoreUnderTest } from '../../src/testing/store-contract.js';

export function openMemory(): StoreUnderTest {
  const disk = createMemoryDisk();
  return reopening(() => createMemoryStore(disk));
}

export function openSqlite(): StoreUnderTest & { readonly file: string } {
  const { folder, remove } = temporaryFolder();
  const file = join(folder, 'store.db');
  return { ...reopening(() => openSqliteStore({ file }), remove), file };
}

export function openDamageable(): DamageableStore {
  const { folder, remove } = temporaryFolder();
  const file = join(folder, 'store.db');
  return {
    store: openSqliteStore({ file }),
    open: () => openDamagedStore(file),
    bytes: () => readFileSync(file),
    replace: (bytes) => writeFileSync(file, bytes),
    cleanup: remove,
  };
}

export function temporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-store-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function reopening(open: () => StoreUnderTest['store'], remove = () => {}): StoreUnderTest {
  const first = open();
  let current = first;
  return {
    store: first,
    reopen: () => {
      current.close();
      current = open();
      return current;
    },
    cleanup: () => {
      current.close();
      remove();
    },
  };
}
