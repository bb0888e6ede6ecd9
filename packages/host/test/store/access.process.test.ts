import { chmodSync, chownSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/shared/sqlite.js';
import { openSqliteStore } from '../../src/adapters/store-sqlite/index.js';
import { StoreError } from '../../src/ports/store.js';
import { chat, chatChannel, logEntry, seqsIn, sessionChannel } from '../../src/testing/store-samples.js';
import { buildChild, linesOf } from './children/run.js';
import { openSqlite, temporaryFolder } from './harness.js';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('store-sqlite, its files', () => {
  const { folder, remove } = temporaryFolder();
  afterAll(remove);

  it('can be read by this user only, whatever the umask', () => {
    const mask = process.umask(0);
    const file = join(folder, 'new/deep/store.db');
    const store = openSqliteStore({ file });
    store.commit({ seqCeiling: 1 });
    process.umask(mask);
    expect([join(folder, 'new'), join(folder, 'new/deep')].map(modeOf)).toEqual(['700', '700']);
    expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(['600', '600', '600']);
    store.close();
  });

  it('are closed to others when they were open, and the folder is left alone', () => {
    const shared = join(folder, 'shared');
    mkdirSync(shared, { mode: 0o755 });
    const file = join(shared, 'store.db');
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    openSqliteStore({ file }).close();
    expect([file, shared].map(modeOf)).toEqual(['600', '755']);
  });

  it('are one file with everything in it once it is closed', () => {
    const file = join(folder, 'alone.db');
    const store = openSqliteStore({ file });
    store.commit({ seqCeiling: 1 });
    store.close();
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    copyFileSync(file, `${file}.copy`);
    const copy = openSqliteStore({ file: `${file}.copy` });
    expect(copy.header.seqCeiling).toBe(1);
    copy.close();
  });

  it('must be files', () => {
    expect(() => openSqliteStore({ file: folder })).toThrow(StoreError);
    expect(() => openSqliteStore({ file: folder })).toThrow(`The store ${folder} cannot be opened (EISDIR)`);
    writeFileSync(join(folder, 'flat'), '');
    const file = join(folder, 'flat/store.db');
    expect(() => openSqliteStore({ file })).toThrow(/cannot be opened \(E(NOTDIR|EXIST)\)/);
  });
});

describe('store-sqlite without the right to write', () => {
  let child: ReturnType<typeof buildChild>;
  const { folder, remove } = temporaryFolder();
  // Root may write to anything, so root's tests are run by somebody else.
  const other = process.getuid?.() === 0 ? 65534 : undefined;
  const give = (path: string) => other !== undefined && chownSync(path, other, other);
  beforeAll(() => {
    child = buildChild(new URL('./children/try-open.ts', import.meta.url));
    give(folder);
  });
  afterAll(() => {
    child.remove();
    remove();
  });

  const tryOpen = async (file: string) => {
    const user = other === undefined ? [] : [String(other)];
    const [report = ''] = await linesOf(process.execPath, [child.script, file, ...user]);
    return JSON.parse(report);
  };

  it('says so when the file is read-only', async () => {
    const file = join(folder, 'store.db');
    expect(await tryOpen(file)).toBe('opened');
    chmodSync(file, 0o400);
    expect(await tryOpen(file)).toEqual({
      kind: 'unavailable',
      message: expect.stringContaining('must be writable for this user'),
    });
  });

  it('says so when the folder is read-only, with a file or without', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    give(closed);
    const file = join(closed, 'store.db');
    expect(await tryOpen(file)).toBe('opened');
    for (const rest of ['-wal', '-shm']) rmSync(`${file}${rest}`, { force: true });
    chmodSync(closed, 0o500);
    const complaint = { kind: 'unavailable', message: expect.stringMatching(/read-only|must be writable/) };
    expect(await tryOpen(file)).toEqual(complaint);
    expect(await tryOpen(join(closed, 'new.db'))).toEqual(complaint);
    expect(await tryOpen(join(closed, 'new/store.db'))).toEqual(complaint);
    chmodSync(closed, 0o700);
  });
});

describe('store-sqlite, locked by another process', () => {
  it('says so, still reads, and goes on once the lock is gone', () => {
    const { store, file, cleanup } = openSqlite();
    store.commit({ channels: [sessionChannel(), chatChannel()], log: [logEntry(chat, 1)] });
    const other = openDatabase(file);
    other.exec('BEGIN IMMEDIATE');

    const refused = () => store.commit({ log: [logEntry(chat, 2)] });
    expect(refused).toThrow(StoreError); // the lock is held on: it did not wait for its end
    expect(refused).toThrow(`The store ${file} is locked: another process holds it.`);
    expect(() => store.channels.trim(chat, 0)).toThrow(/locked/);
    expect(seqsIn(store.channels.replay(chat, 0))).toEqual([1]);
    expect(() => openSqliteStore({ file, busyTimeoutMs: 1 })).toThrow(/locked/);

    other.exec('ROLLBACK');
    store.commit({ log: [logEntry(chat, 2)] });
    expect(seqsIn(store.channels.replay(chat, 0))).toEqual([1, 2]);
    other.close();
    cleanup();
  });

  it('commits while another process reads', () => {
    const { store, file, cleanup } = openSqlite();
    const other = openDatabase(file);
    other.exec('BEGIN; SELECT * FROM host');
    store.commit({ seqCeiling: 5 });
    expect(store.header.seqCeiling).toBe(5);
    other.close();
    cleanup();
  });
});
