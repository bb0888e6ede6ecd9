import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/shared/sqlite.js';
import { openSqliteStore } from '../../src/adapters/store-sqlite/index.js';
import { chat, seqsIn } from '../../src/testing/store-samples.js';
import { buildChild, exitOf } from './children/run.js';
import { temporaryFolder } from './harness.js';

/** STORE_KILL_ROUNDS=1000 for the long form. */
const ROUNDS = Number(process.env.STORE_KILL_ROUNDS ?? 20);

describe('store-sqlite, killed with -9', () => {
  let child: ReturnType<typeof buildChild>;
  const { folder, remove } = temporaryFolder();
  beforeAll(() => {
    child = buildChild(new URL('./children/commit-forever.ts', import.meta.url));
  });
  afterAll(() => {
    child.remove();
    remove();
  });

  it(`has every acknowledged batch, whole, each of ${ROUNDS} times`, { timeout: ROUNDS * 5000 }, async () => {
    let file = join(folder, 'store.db');
    let committed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await commitUntilKilled(child.script, file, Math.random() * 40);
      const { number, isAhead } = expectWhole(file);
      expect(acknowledged).toBeGreaterThan(0);
      expect([acknowledged, acknowledged + 1]).toContain(number); // it may die between the commit and the word of it
      if (!isAhead && round < ROUNDS - 1) continue;
      // Numbers that were skipped are not known to the child: it begins anew.
      expectSound(file);
      committed += number;
      file = join(folder, `store-${round}.db`);
    }
    expect(committed).toBeGreaterThan(ROUNDS);
  });
});

/** The last number that the child said was stored before it was killed. */
async function commitUntilKilled(script: string, file: string, delayMs: number): Promise<number> {
  const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    if (output === '') setTimeout(() => child.kill('SIGKILL'), delayMs);
    output += String(chunk);
  });
  expect(await exitOf(child)).toBe('SIGKILL');
  const complete = output.slice(0, output.lastIndexOf('\n'));
  return Number(complete.slice(complete.lastIndexOf('\n') + 1));
}

/** Checks that the parts of the newest batch are all there; gives its number, and whether the next must be far above it. */
function expectWhole(file: string): { number: number; isAhead: boolean } {
  const store = openSqliteStore({ file });
  const number = Number(store.documents.read('client', 'number'));
  const { snapshot, tail } = store.channels.read(chat) ?? { snapshot: { seq: 0, json: '' }, tail: '' };
  expect(snapshot.seq).toBe((number - (number % 50)) * 2);
  const count = number * 2 - snapshot.seq;
  expect(seqsIn(tail)).toEqual(Array.from({ length: count }, (_, index) => snapshot.seq + 1 + index));
  expect(store.sessions.list().map((json) => JSON.parse(json).modifiedAt)).toEqual([number]);
  expect(store.header.unsettled).toEqual(number % 2 === 1 ? [chat] : []);
  // A frame that was half written over an older one looks like damage: then numbers are skipped, to be safe.
  const { seqCeiling } = store.header;
  expect([number * 2, number * 2 + 1_000_000]).toContain(seqCeiling);
  store.close();
  return { number, isAhead: seqCeiling > number * 2 };
}

function expectSound(file: string): void {
  const database = openDatabase(file);
  expect(database.prepare<{ integrity_check: string }>('PRAGMA integrity_check').all()).toMatchObject([
    { integrity_check: 'ok' },
  ]);
  expect(database.prepare<unknown>('PRAGMA foreign_key_check').all()).toEqual([]);
  database.close();
}
