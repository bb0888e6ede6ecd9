import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/adapters/shared/sqlite.js';
import { createMemoryDisk, createMemoryStore } from '../../src/adapters/store-memory/index.js';
import { openDamagedStore, openSqliteStore } from '../../src/adapters/store-sqlite/index.js';
import { keepCopy } from '../../src/adapters/store-sqlite/older-format/keep-copy.js';
import { withPrefixes, withPrefixesInAction } from '../../src/adapters/store-sqlite/older-format/meta-prefixes.js';
import { recoverStore } from '../../src/services/recovery/recover-store.js';
import { chat, session } from '../../src/testing/store-samples.js';
import { buildChild, exitOf } from './children/run.js';
import { temporaryFolder } from './harness.js';

const OTHER = 'ahp-chat:/two';
const message = (path: string) => ({
  text: 'look',
  origin: { kind: 'user' },
  attachments: [{ type: 'resource', uri: 'file:///a', label: 'a', displayKind: 'file', _meta: { path } }],
});
const call = {
  status: 'completed',
  toolCallId: 'c',
  toolName: 'read',
  displayName: 'Read',
  invocationMessage: 'Read a',
  confirmed: 'not-needed',
  success: true,
  pastTenseMessage: 'Read a',
  _meta: { toolKind: 'read', durationMs: 5, readOnlyHint: true },
};
const steeringPart = {
  kind: 'systemNotification',
  content: 'x',
  _meta: { steering: { id: 's', message: message('b') } },
};
const usage = { inputTokens: 1, _meta: { context: { used: 1 } } };
const turn = (id: string) => ({
  id,
  message: message('src/a'),
  responseParts: [{ kind: 'toolCall', toolCall: call }, steeringPart],
  usage,
  state: 'complete',
});

describe('what we add to `_meta` gets its prefix', () => {
  it('in the states of chats, sessions and annotations', () => {
    const old = { turns: [turn('1')], activeTurn: turn('2'), queuedMessages: [{ id: 'q', message: message('c') }] };
    const text = JSON.stringify(withPrefixes('chat', { ...old, steeringMessage: { id: 'p', message: message('d') } }));
    for (const name of ['path', 'durationMs', 'readOnlyHint', 'steering', 'context'])
      expect([name, text.includes(`"${name}":`)]).toEqual([name, false]);
    expect(text.match(/"moorage\.path":/g)).toHaveLength(6);
    expect(text.match(/"toolKind":"read","moorage.durationMs":5,"moorage.readOnlyHint":true/g)).toHaveLength(2);
    const _meta = { worktree: { path: 'p', kept: true }, changesProblem: 'git says no', mine: 1 };
    expect(withPrefixes('session', { title: 'x', _meta })).toEqual({
      title: 'x',
      _meta: { 'moorage.worktree': { path: 'p', kept: true }, 'moorage.changesProblem': 'git says no', mine: 1 },
    });
    const annotations = [{ id: 'a', _meta: { side: 'before' } }, { id: 'b', _meta: { side: 'left' } }, { id: 'c' }];
    expect(withPrefixes('annotations', { annotations })).toEqual({
      annotations: [{ id: 'a', _meta: { 'moorage.side': 'before' } }, ...annotations.slice(1)],
    });
  });

  it.each([
    [{ type: 'chat/turnStarted', message: message('p') }, 'path'],
    [{ type: 'chat/pendingMessageSet', message: message('p') }, 'path'],
    [{ type: 'chat/responsePart', part: steeringPart }, 'steering'],
    [{ type: 'chat/toolCallComplete', toolCallId: 'c', _meta: { durationMs: 5 } }, 'durationMs'],
    [{ type: 'chat/usage', usage }, 'context'],
    [{ type: 'session/metaChanged', _meta: { changesProblem: 'x' } }, 'changesProblem'],
    [{ type: 'annotations/set', annotation: { id: 'a', _meta: { side: 'before' } } }, 'side'],
  ])('in a logged action: %j', (action, name) => {
    const text = JSON.stringify(withPrefixesInAction(action));
    expect([text.includes(`"${name}":`), text.includes(`"moorage.${name}":`)]).toEqual([false, true]);
  });

  it('once, and what clients and agents put there stays', () => {
    const once = withPrefixes('chat', { turns: [turn('1')] });
    expect(withPrefixes('chat', once)).toEqual(once);
    const foreign = [
      { type: 'resource', uri: 'x', label: 'x', _meta: { path: 'mine' } },
      { type: 'simple', label: 'x', _meta: { description: 'mine', hint: 'mine' } },
    ];
    const state = {
      turns: [{ id: '1', message: { text: 'x', attachments: foreign, _meta: { path: 'x' } }, responseParts: [] }],
      _meta: { context: {} },
    };
    expect(withPrefixes('chat', state)).toEqual(state);
    const own = { _meta: { worktree: 'mine', changesProblem: 1, durationMs: 2 } };
    expect(withPrefixes('session', own)).toEqual(own);
  });
});

describe('a store of an older format', () => {
  let folder: string;
  let file: string;
  let remove: () => void;
  let logged: unknown[][];
  const log = { write: (level: string, _event: string, ...line: unknown[]) => void logged.push([level, ...line]) };
  beforeEach(() => {
    ({ folder, remove } = temporaryFolder());
    file = join(folder, 'store.sqlite');
    logged = [];
    inDatabase((database) => {
      database.exec(readFileSync(join(import.meta.dirname, 'fixtures/version-2.sql'), 'utf8'));
      const put = database.prepare('INSERT INTO snapshots VALUES (?, ?, ?)');
      const chatState = { resource: OTHER, title: 'Two', status: 1, modifiedAt: '2026-01-01T00:00:00.000Z' };
      database.exec(`INSERT INTO channels VALUES (5, '${OTHER}', 'chat', 1, 0, 0, 0)`);
      put.run(5, 7, JSON.stringify({ ...chatState, turns: [turn('t2')] }));
    });
  });
  afterEach(() => remove());

  function inDatabase<T>(work: (database: Database) => T, of = file): T {
    const database = openDatabase(of);
    try {
      return work(database);
    } finally {
      database.close();
    }
  }
  const steering = (seq: number, text: string) =>
    JSON.stringify({
      channel: OTHER,
      action: { type: 'chat/pendingMessageSet', kind: 'steering', id: text, message: { ...message(text), text } },
      serverSeq: seq,
    });
  const append = (id: number, first: number, last: number, envelopes: string) =>
    inDatabase((database) =>
      database
        .prepare('INSERT INTO log (id, channel_id, first_seq, last_seq, envelopes) VALUES (?, 5, ?, ?, ?)')
        .run(id, first, last, envelopes),
    );
  const everything = (of = file) =>
    inDatabase(
      (database) =>
        ['sessions', 'channels', 'snapshots', 'log', 'documents'].map((table) =>
          database.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all(),
        ),
      of,
    );
  const formatIn = (of = file) =>
    inDatabase((database) => database.prepare<{ user_version: number }>('PRAGMA user_version').get(), of)?.user_version;

  it('has its log in its snapshots afterwards', () => {
    append(10, 8, 9, `${steering(8, 'first')},${steering(9, 'second')}`);
    const store = openSqliteStore({ file, log });
    const { snapshot, tail } = store.channels.read(OTHER) ?? {};
    expect([snapshot?.seq, tail]).toEqual([9, '']);
    expect(JSON.parse(snapshot?.json ?? '')).toMatchObject({
      turns: [{ usage: { _meta: { 'moorage.context': { used: 1 } } } }],
      steeringMessage: { id: 'second', message: { attachments: [{ _meta: { 'moorage.path': 'second' } }] } },
    });
    expect(store.channels.replay(OTHER, 9)).toBeUndefined();
    store.close();
    expect(everything()[3]).toEqual([]);
  });

  it('leaves a copy of itself, which only its owner can read, and says so', () => {
    const before = everything();
    openSqliteStore({ file, log }).close();
    const copy = `${file}.before-1.0`;
    expect(everything(copy).filter((_, index) => index !== 1)).toEqual(before.filter((_, index) => index !== 1));
    expect([formatIn(copy), formatIn(), statSync(copy).mode & 0o777]).toEqual([2, 5, 0o600]);
    expect(logged).toEqual([
      ['warn', expect.stringMatching(/a copy of it as it was is kept.*moorage backup/), { file, copy }],
      ['info', 'the store was migrated to a newer format', { file, from: 2, to: 5 }],
    ]);
    const { mtimeMs } = statSync(copy);
    openSqliteStore({ file, log }).close();
    expect([logged.length, statSync(copy).mtimeMs]).toEqual([2, mtimeMs]);
  });

  it('is migrated without a copy where there can be none, and says so', () => {
    mkdirSync(`${file}.before-1.0`);
    openSqliteStore({ file, log }).close();
    expect(formatIn()).toBe(5);
    expect(logged[0]).toEqual([
      'warn',
      expect.stringMatching(/no copy.*moorage backup/),
      expect.objectContaining({ file }),
    ]);
    expect(readdirSync(folder).filter((name) => name.includes('incomplete'))).toEqual([]);
  });

  it('is not copied onto a disk without room for the copy and the migration', () => {
    const { size } = statSync(file);
    inDatabase((database) => keepCopy(database, file, 'copy', log, size * 2));
    expect([existsSync(`${file}.copy`), logged]).toEqual([
      false,
      [['warn', expect.stringContaining('no copy'), { file, reason: 'the disk has less than 1 MB left' }]],
    ]);
    inDatabase((database) => keepCopy(database, file, 'copy', log, size * 3));
    expect(existsSync(`${file}.copy`)).toBe(true);
  });

  describe('with damage', () => {
    const recovered = () => {
      const damaged = openDamagedStore(file);
      const store = createMemoryStore(createMemoryDisk());
      const { losses } = recoverStore(damaged, store, 0);
      damaged.close();
      const stateOf = (uri: string) => JSON.parse(store.channels.read(uri)?.snapshot.json ?? 'null');
      return { losses, stateOf };
    };
    const open = () => {
      const store = openSqliteStore({ file, log });
      const read = (uri: string) => store.channels.read(uri);
      return { read, close: () => store.close() };
    };

    it('in the middle of a log keeps what is before and after it, and is still seen to be damaged', () => {
      append(10, 8, 8, steering(8, 'before'));
      append(11, 9, 9, steering(9, 'damaged').slice(0, -4));
      append(12, 10, 10, steering(10, 'after'));
      const store = open();
      const { snapshot, tail } = store.read(OTHER) ?? {};
      expect([snapshot?.seq, snapshot?.json]).toEqual([8, expect.stringContaining('"moorage.path":"before"')]);
      expect(tail).toContain('"moorage.path":"after"');
      expect(() => JSON.parse(`[${tail}]`)).toThrow();
      expect(JSON.parse(store.read(chat)?.snapshot.json ?? '')).toMatchObject({ steeringMessage: { id: 'later' } });
      store.close();
      expect(logged).toContainEqual(['warn', expect.stringContaining('moorage recover'), { uri: OTHER }]);
      const { losses, stateOf } = recovered();
      expect(losses).toContain(`${OTHER}: saved, but incomplete`);
      expect(stateOf(OTHER)).toMatchObject({ turns: [{ id: 't2' }], steeringMessage: { id: 'after' } });
    });

    it('in a snapshot keeps the log, so that it can be recovered from that', () => {
      inDatabase((database) => database.exec('UPDATE snapshots SET json = substr(json, 2) WHERE channel_id = 5'));
      append(10, 8, 8, steering(8, 'left'));
      const store = open();
      const { snapshot, tail } = store.read(OTHER) ?? {};
      expect(snapshot?.json.startsWith('{')).toBe(false);
      expect(tail).toContain('"moorage.path":"left"');
      store.close();
      expect(recovered().stateOf(OTHER)).toMatchObject({ turns: [], steeringMessage: { id: 'left' } });
    });

    it('is recovered without being migrated before, in the form of today', () => {
      append(10, 8, 8, steering(8, 'before'));
      append(11, 9, 9, steering(9, 'damaged').slice(0, -4));
      const { losses, stateOf } = recovered();
      expect(losses).toContain(`${OTHER}: saved, but incomplete`);
      const text = JSON.stringify(stateOf(OTHER));
      expect(text).toContain('"moorage.path":"before"');
      expect(text).not.toContain('"path":');
      expect(formatIn()).toBe(2);
    });

    it('of the state of a session keeps what its list entry says of it', () => {
      inDatabase((database) => {
        database.exec('UPDATE snapshots SET json = substr(json, 2) WHERE channel_id = 1');
        const put = database.prepare('UPDATE sessions SET summary = ? WHERE id = 1');
        const folder = { workingDirectory: 'file:///w', model: { id: 'large' } };
        put.run(
          JSON.stringify({ resource: session, provider: 'demo', title: 'Kept', status: 65, createdAt: 10, ...folder }),
        );
      });
      const { losses, stateOf } = recovered();
      expect(losses).toContain(`${session}: saved, but incomplete`);
      expect(stateOf(session)).toMatchObject({
        provider: 'demo',
        title: 'Kept',
        status: 65,
        workingDirectories: ['file:///w'],
        chats: [{ resource: chat }, { resource: OTHER }],
        _meta: { 'moorage.createdAt': '1970-01-01T00:00:00.010Z' },
      });
      expect(stateOf(OTHER)).toMatchObject({ draft: { model: { id: 'large' } } });
    });

    it('is not migrated when the store is checked at the start', () => {
      append(10, 8, 8, '{"broken');
      expect(() => openSqliteStore({ file, log, checkUpTo: 1 << 20 })).toThrow(/moorage recover/);
      expect([formatIn(), existsSync(`${file}.before-1.0`)]).toEqual([2, false]);
    });
  });

  describe('when the host is killed during the migration', () => {
    let child: ReturnType<typeof buildChild>;
    beforeAll(() => {
      child = buildChild(new URL('./children/die-migrating.ts', import.meta.url));
    });
    afterAll(() => child.remove());

    // There are four states to lift; then all is done but the commit.
    it.each([1, 2, 3, 4, 0])('at state %i is as it was, and is migrated at the next start', async (count) => {
      append(10, 8, 8, steering(8, 'kept'));
      const before = everything();
      const args = [child.script, file, String(count)];
      expect(await exitOf(spawn(process.execPath, args, { stdio: 'inherit' }))).toBe('SIGKILL');
      expect([formatIn(), everything()]).toEqual([2, before]);
      const store = openSqliteStore({ file, log });
      expect(store.channels.read(OTHER)?.snapshot.json).toContain('"moorage.path":"kept"');
      expect(store.sessions.list().map((json) => JSON.parse(json).resource)).toEqual([session]);
      store.close();
      expect(formatIn(`${file}.before-1.0`)).toBe(2);
    });
  });
});
