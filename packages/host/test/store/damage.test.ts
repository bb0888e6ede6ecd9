import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/shared/sqlite.js';
import { openSqliteStore } from '../../src/adapters/store-sqlite/index.js';
import { type Store, StoreError } from '../../src/ports/store.js';
import { chat, chatChannel, logEntry, session, sessionChannel, summary } from '../../src/testing/store-samples.js';
import { temporaryFolder } from './harness.js';

const FUZZ_ROUNDS = Number(process.env.STORE_FUZZ_ROUNDS ?? 200);

describe('store-sqlite on a damaged file', () => {
  let file: string;
  let remove: () => void;
  beforeEach(() => {
    const temporary = temporaryFolder();
    remove = temporary.remove;
    file = join(temporary.folder, 'store.db');
    const written = join(temporary.folder, 'written.db');
    writeSample(written);
    copyFileSync(written, file); // a file that no connection of this process has seen
  });
  afterEach(() => remove());

  const expectBroken = (run: () => unknown, message: RegExp | string) => {
    expect(run).toThrow(StoreError);
    expect(run).toThrow(expect.objectContaining({ kind: 'broken' }));
    expect(run).toThrow(message);
  };

  it('reports a file that is no database, and leaves it as it is', () => {
    writeFileSync(file, 'Dear diary, '.repeat(1000));
    expectBroken(
      () => openSqliteStore({ file }),
      `The store ${file} is damaged or not a store of moorage. Stop the host and run`,
    );
    expect(readFileSync(file, 'utf8')).toBe('Dear diary, '.repeat(1000));
  });

  it('reports a database of another program, and leaves it as it is', () => {
    const foreign = `${file}.other`;
    const database = openDatabase(foreign);
    database.exec('CREATE TABLE diary (entry TEXT); PRAGMA user_version = 1');
    database.close();
    const before = readFileSync(foreign);
    expectBroken(() => openSqliteStore({ file: foreign }), /not a store of moorage/);
    expect(readFileSync(foreign)).toEqual(before);
  });

  it('reports a file that was cut short', () => {
    truncateSync(file, Math.floor(statSync(file).size / 2));
    expectBroken(() => openSqliteStore({ file }), /damaged/);
  });

  it('reports a missing table', () => {
    const database = openDatabase(file);
    database.exec('DROP TABLE documents');
    database.close();
    expectBroken(() => openSqliteStore({ file }), /documents/);
  });

  it('reports overwritten pages when it meets them, and still reads the others', () => {
    overwrite(file, pageOf(file, 'log'), 200);
    const store = openSqliteStore({ file });
    expectBroken(() => store.channels.replay(chat, 0), /damaged.*moorage recover/);
    expect(store.sessions.list()).toHaveLength(50);
    store.close();
  });

  it('reports a stored text that no longer parses', () => {
    const database = openDatabase(file);
    database.exec(`UPDATE log SET envelopes = 'x' || envelopes; UPDATE sessions SET summary = '{', disposed_at = 1`);
    database.close();
    const store = openSqliteStore({ file });
    expectBroken(() => store.sessions.listDisposed(), /damaged/);
    store.commit({ disposals: [{ session, disposedAt: undefined }] });
    expectBroken(() => store.channels.replay(chat, 1), /damaged/);
    store.close();
  });

  it('lists the other sessions when one can no longer be listed', () => {
    const database = openDatabase(file);
    database.exec(`UPDATE sessions SET summary = 'x' || summary WHERE uri = 'ahp-session:/7'`);
    database.close();
    const store = openSqliteStore({ file });
    const listed = store.sessions.list().map((json) => JSON.parse(json).resource);
    expect([listed.length, listed.includes('ahp-session:/7')]).toEqual([49, false]);
    store.close();
  });

  it(`fails only with a StoreError, whatever bytes were changed, ${FUZZ_ROUNDS} times`, () => {
    const whole = readFileSync(file);
    const anywhere = fc.nat(whole.length - 1);
    const inFirstPages = fc.nat(16_383); // where the schema and the roots of the tables are
    const change = fc.tuple(fc.oneof(anywhere, inFirstPages), fc.nat(255));
    let round = 0;
    let reported = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 128, size: 'max' }), (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        const damaged = `${file}.${round++}`;
        writeFileSync(damaged, bytes);
        if (usesOf(damaged).filter((use) => !succeeds(use)).length > 0) reported++;
        rmSync(damaged);
      }),
      { numRuns: FUZZ_ROUNDS },
    );
    expect(reported).toBeGreaterThan(FUZZ_ROUNDS / 2);
  });
});

function writeSample(file: string): void {
  const store = openSqliteStore({ file });
  const uris = Array.from({ length: 50 }, (_, index) => `ahp-session:/${index}`);
  store.commit({
    channels: [sessionChannel(), chatChannel(), ...uris.map((uri) => sessionChannel(uri))],
    summaries: uris.map((uri, index) => summary(uri, index)),
    documents: [{ collection: 'client', key: 'one', json: '1' }],
  });
  for (let seq = 1; seq < 600; seq += 3) store.commit({ log: [logEntry(chat, seq, seq + 1, seq + 2)] });
  store.close();
}

/** What a host does with a store, one by one, so that the failure of one does not hide the others. */
function usesOf(file: string): (() => unknown)[] {
  let store: Store;
  try {
    store = openSqliteStore({ file });
  } catch (error) {
    return [fail(error)];
  }
  return [
    () => store.header,
    () => store.channels.read(chat),
    () => store.channels.replay(chat, 2),
    () => store.sessions.list(),
    () => store.sessions.count(),
    () => store.sessions.listDisposed(),
    () => store.sessions.readDisposed(session),
    () => store.documents.read('client', 'one'),
    () =>
      store.commit({
        channels: [chatChannel(chat, { snapshot: { seq: 600, json: '{}' } })],
        log: [logEntry(chat, 900)],
      }),
    () => store.commit({ summaries: [summary(session, 1)], disposals: [{ session, disposedAt: 1 }] }),
    () => store.channels.trim(chat, 100),
    () => store.sessions.purge(2),
    () => store.close(),
  ];
}

function fail(error: unknown): () => never {
  return () => {
    throw error;
  };
}

function succeeds(use: () => unknown): boolean {
  try {
    use();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    return false;
  }
}

function pageOf(file: string, table: string): number {
  const database = openDatabase(file);
  const row = database.prepare<{ rootpage: number }>('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table);
  database.close();
  return row?.rootpage ?? 0;
}

function overwrite(file: string, page: number, length: number): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, (page - 1) * 4096);
  closeSync(handle);
}
