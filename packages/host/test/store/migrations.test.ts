import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/adapters/shared/sqlite.js';
import { createTransaction } from '../../src/adapters/store-sqlite/commit.js';
import { openSqliteStore } from '../../src/adapters/store-sqlite/index.js';
import { migrate } from '../../src/adapters/store-sqlite/migrate.js';
import { type Migration, migrations } from '../../src/adapters/store-sqlite/migrations/index.js';
import { StoreError } from '../../src/ports/store.js';
import { chat, seqsIn, session } from '../../src/testing/store-samples.js';
import { temporaryFolder } from './harness.js';

const versions = migrations.map(({ version }) => version);
const newest = versions.at(-1) ?? 0;

describe('migrations of store-sqlite', () => {
  let file: string;
  let remove: () => void;
  beforeEach(() => {
    const temporary = temporaryFolder();
    remove = temporary.remove;
    file = join(temporary.folder, 'store.db');
  });
  afterEach(() => remove());

  const withDatabase = <T>(work: (database: Database) => T): T => {
    const database = openDatabase(file);
    const result = work(database);
    database.close();
    return result;
  };
  const apply = (database: Database, steps: readonly Migration[]) =>
    migrate(database, { file, transaction: createTransaction(database), steps });

  it('are numbered 1, 2, 3, ...', () => {
    expect(versions).toEqual(versions.map((_, index) => index + 1));
  });

  it.each(versions)('open a file of version %i with all that is in it', (version) => {
    withDatabase((database) => database.exec(fixtureOf(version)));
    const store = openSqliteStore({ file });
    expect(store.header.unsettled).toEqual([chat]);
    expect(store.sessions.list().map((json) => JSON.parse(json))).toMatchObject([
      { resource: session, title: `Title of ${session}` },
    ]);
    const { snapshot, tail, ...stored } = store.channels.read(chat) ?? {};
    expect(stored).toEqual({ kind: 'chat', session });
    expect(JSON.parse(snapshot?.json ?? '')).toMatchObject({ turns: [{ id: 't1', message: { text: 'hello' } }] });
    expect(`${snapshot?.json}${tail}`).toContain('said at 5');
    expect(store.channels.exists('ahp-chat:/removed')).toBe(true);
    expect(store.channels.read('ahp-chat:/removed')).toBeUndefined();
    expect(store.sessions.listDisposed()).toMatchObject([{ disposedAt: 50 }]);
    expect(store.documents.read('agentChat', 'one')).toBe('{"resume":1}');
    store.commit({ seqCeiling: store.header.seqCeiling + 1000 });
    store.close();
    expect(withDatabase(versionOf)).toBe(newest);
  });

  it.each(versions.slice(0, -1))('keep a copy of a file of version %i as it was, and only one', (version) => {
    withDatabase((database) => database.exec(fixtureOf(version)));
    openSqliteStore({ file }).close();
    const copies = readdirSync(dirname(file)).filter((name) => name.startsWith('store.db.'));
    expect(copies).toEqual([version < 3 ? 'store.db.before-1.0' : `store.db.format-${version}`]);
    file = join(dirname(file), copies[0] ?? '');
    expect(withDatabase(versionOf)).toBe(version);
    openSqliteStore({ file }).close(); // it can be used again
  });

  it('that change what is stored let nobody resume by a replay; others keep the log', () => {
    const replays = versions.map((version) => {
      file = `${file}.${version}`;
      withDatabase((database) => database.exec(fixtureOf(version)));
      const store = openSqliteStore({ file });
      const { channels, header } = store;
      const found = [seqsIn(channels.read(chat)?.tail), seqsIn(channels.replay(chat, 2)), header.seqCeiling > 1000];
      store.close();
      return [version, ...found];
    });
    expect(replays).toEqual([
      [1, [], undefined, true],
      [2, [], undefined, true],
      [3, [5], [3, 4, 5], false],
      [4, [5], [3, 4, 5], false],
      [5, [5], [3, 4, 5], false],
    ]);
  });

  it.each(versions)('that were released do not change: version %i', (version) => {
    const migrated = withDatabase((database) => {
      apply(database, migrations.slice(0, version));
      return schemaOf(database);
    });
    file = `${file}.fixture`;
    const stored = withDatabase((database) => {
      database.exec(fixtureOf(version));
      return schemaOf(database);
    });
    expect(migrated).toEqual(stored);
  });

  it('leave a file of a later version as it is, and say what to do', () => {
    openSqliteStore({ file }).close();
    withDatabase((database) => database.exec(`PRAGMA user_version = ${newest + 1}; CREATE TABLE future (x)`));
    const before = readFileSync(file);
    const open = () => openSqliteStore({ file });
    expect(open).toThrow(StoreError);
    expect(open).toThrow(`The store ${file} has format ${newest + 1}`);
    expect(open).toThrow(/Upgrade moorage/);
    expect(readFileSync(file)).toEqual(before);
  });

  it('happen whole or not at all, and go on where they stopped', () => {
    const one: Migration = { version: 1, up: (database) => database.exec('CREATE TABLE one (x)') };
    const failing: Migration = { version: 2, up: (database) => database.exec('CREATE TABLE two (x); SELECT nonsense') };
    const two: Migration = { version: 2, up: (database) => database.exec('CREATE TABLE two (x)') };
    withDatabase((database) => {
      expect(() => apply(database, [one, failing])).toThrow(/nonsense/);
      expect([versionOf(database), tablesOf(database)]).toEqual([1, ['one']]);
      apply(database, [one, two]);
      expect([versionOf(database), tablesOf(database)]).toEqual([2, ['one', 'two']]);
      apply(database, [one, two]);
    });
  });

  it('are told to the log', () => {
    const lines: unknown[] = [];
    const log = { write: (...line: unknown[]) => void lines.push(line) };
    openSqliteStore({ file, log }).close();
    openSqliteStore({ file, log }).close();
    expect(lines).toEqual([
      ['info', 'store.migrated', 'the store was migrated to a newer format', { file, from: 0, to: newest }],
    ]);
  });
});

/** A file as that version wrote it: `sqlite3 store.db .dump`, and the two numbers of its header. */
function fixtureOf(version: number): string {
  return readFileSync(join(import.meta.dirname, `fixtures/version-${version}.sql`), 'utf8');
}

function versionOf(database: Database): number | undefined {
  return database.prepare<{ user_version: number }>('PRAGMA user_version').get()?.user_version;
}

function tablesOf(database: Database): string[] {
  const tables = database.prepare<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  );
  return tables.all().map(({ name }) => name);
}

function schemaOf(database: Database): unknown {
  const entries = database.prepare<{ name: string; sql: string | null }>(
    'SELECT name, sql FROM sqlite_schema ORDER BY name',
  );
  const words = (sql: string | null) => sql?.replace(/\s+/g, ' ');
  return entries.all().map(({ name, sql }) => ({ name, sql: words(sql) }));
}
