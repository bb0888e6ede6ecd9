import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filePeople, nodeClock, openSqliteStore } from '@moorage/host';
import { type HistoryFile, type HistoryStep, ROOT_URI, type UndoHistoryStepParams } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../packages/host/src/adapters/shared/sqlite.js';
import { PATIENT } from '../support/actions.js';
import { ChangesBench, type ChangesBenchOptions } from '../support/changes-bench.js';
import { ManualClock } from '../support/manual-clock.js';

const LINES = Array.from({ length: 9 }, (_, index) => `line ${index + 1}\n`);
const OLD = LINES.join('');
const NEW = OLD.replace('line 2', 'two').replace('line 8', 'eight');

let bench: ChangesBench;
afterEach(() => bench.dispose());

async function start(files: Record<string, string>, options: ChangesBenchOptions = {}): Promise<string> {
  bench = await ChangesBench.start({ prepare: (b) => b.commit(files), ...options });
  return bench.uri({ kind: 'uncommitted' });
}

const folder = () => bench.host.workspaceUri;
const list = async (page: { cursor?: string; limit?: number } = {}) =>
  bench.client.request('moorage/listHistory', { channel: ROOT_URI, folder: folder(), ...page });
const history = async (): Promise<HistoryStep[]> => (await list()).items;
const labels = async () => (await history()).map(({ label, undone }) => `${label}: ${undone}`);
const undo = (part: Omit<UndoHistoryStepParams, 'channel' | 'folder'> = {}) =>
  bench.client.request('moorage/undoHistoryStep', { channel: ROOT_URI, folder: folder(), ...part });
const redo = (part: Omit<UndoHistoryStepParams, 'channel' | 'folder'> = {}) =>
  bench.client.request('moorage/redoHistoryStep', { channel: ROOT_URI, folder: folder(), ...part });
const refused = (part: object) =>
  bench.client.refused('moorage/undoHistoryStep', {
    channel: ROOT_URI,
    folder: folder(),
    ...part,
  } as UndoHistoryStepParams);
const fileOf = async (step: string, path: string): Promise<HistoryFile | undefined> =>
  (await bench.client.request('moorage/listHistoryFiles', { channel: ROOT_URI, folder: folder(), step, path }))
    .items[0];
const idOf = async (label: string): Promise<string> => {
  const step = (await history()).find((one) => one.label === label);
  if (!step) throw new Error(`there is no step "${label}"`);
  return step.id;
};

describe('any step', () => {
  it('says who did it, also of what undoes it; the owner has no name', async () => {
    const file = join(tmpdir(), `moorage-people-${crypto.randomUUID()}.json`);
    const people = filePeople({ file, clock: nodeClock });
    const uri = await start({ 'a.txt': 'a\n', 'b.txt': 'b\n' }, { people });
    bench.write('a.txt', 'new a\n');
    bench.write('b.txt', 'new b\n');
    await bench.invoke(uri, 'revert', bench.resource('b.txt'));
    const ada = await bench.host.client({ token: people.redeem(people.invite('Ada', 'steer').secret) ?? '' });
    await ada.subscribe(uri);
    const target = bench.resource('a.txt');
    await ada.request('invokeChangesetOperation', { channel: uri, operationId: 'revert', target });
    await ada.request('moorage/undoHistoryStep', { channel: ROOT_URI, folder: folder() });
    expect((await history()).map(({ label, person }) => [label, person])).toEqual([
      ['the undo of the revert of a.txt', 'Ada'],
      ['the revert of a.txt', 'Ada'],
      ['the revert of b.txt', undefined],
    ]);
    people.close();
  });

  it('is undone by itself, whatever came after it, and done again', async () => {
    const uri = await start({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    for (const name of ['a', 'b', 'c']) bench.write(`${name}.txt`, `new ${name}\n`);
    await bench.invoke(uri, 'revert', bench.resource('a.txt'));
    await bench.invoke(uri, 'revert', bench.resource('b.txt'));
    await bench.invoke(uri, 'stage', bench.resource('c.txt'));
    expect(await labels()).toEqual([
      'the staging of c.txt: none',
      'the revert of b.txt: none',
      'the revert of a.txt: none',
    ]);
    const step = await idOf('the revert of a.txt');
    expect((await undo({ step })).message).toBe('Revert of a.txt undone.');
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual(['new a\n', 'b\n']);
    expect(bench.git('diff', '--cached', '--name-only')).toBe('c.txt\n');
    expect((await labels()).slice(0, 1)).toEqual(['the undo of the revert of a.txt: none']);
    expect(await labels()).toContain('the revert of a.txt: all');
    expect((await refused({ step })).message).toContain('undone already');

    expect((await redo({ step })).message).toBe('Revert of a.txt redone.');
    expect(bench.read('a.txt')).toBe('a\n');
    expect(await labels()).toContain('the revert of a.txt: none');
    await undo({ step }); // and so on
    expect(bench.read('a.txt')).toBe('new a\n');
    expect(await labels()).toContain('the revert of a.txt: all');
  });

  it('is found without being named: the newest that is not undone, or is', async () => {
    const uri = await start({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    bench.write('a.txt', 'new a\n');
    bench.write('b.txt', 'new b\n');
    await bench.invoke(uri, 'revert', bench.resource('a.txt'));
    await bench.invoke(uri, 'revert', bench.resource('b.txt'));
    await undo();
    await undo();
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual(['new a\n', 'new b\n']);
    expect((await refused({})).message).toContain('nothing to undo');
    await redo();
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual(['a\n', 'new b\n']);
    await redo();
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual(['a\n', 'b\n']);
  });

  it('leaves what a later change is in the way of, names it, and undoes the rest', async () => {
    const uri = await start({ 'a.txt': OLD, 'b.txt': 'b\n', 'c.txt': 'c\n' });
    bench.write('a.txt', NEW);
    bench.write('b.txt', 'new b\n');
    bench.write('c.txt', 'new c\n');
    await bench.invoke(uri, 'revert');
    bench.write('a.txt', OLD.replace('line 2', 'mine'));
    bench.write('b.txt', 'my b\n');
    const { message, left, step } = await undo();
    expect(bench.read('a.txt')).toBe(OLD.replace('line 2', 'mine').replace('line 8', 'eight'));
    expect(bench.read('b.txt')).toBe('my b\n');
    expect(bench.read('c.txt')).toBe('new c\n');
    expect(left).toEqual([expect.stringMatching(/^a\.txt .*line 2/), expect.stringMatching(/^b\.txt /)]);
    expect(message).toContain('not all of it');
    const reverted = await idOf('the revert of 3 files');
    expect(await labels()).toContain('the revert of 3 files: partly');
    expect((await history())[0]?.files.map(({ path }) => path).sort()).toEqual(['a.txt', 'c.txt']);

    bench.write('a.txt', OLD.replace('line 8', 'eight')); // out of the way again
    bench.write('b.txt', 'b\n');
    await undo({ step: reverted });
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual([NEW, 'new b\n']);
    expect(await labels()).toContain('the revert of 3 files: all');
    await undo({ step }); // the first undo is a step as well
    expect([bench.read('a.txt'), bench.read('c.txt')]).toEqual([OLD.replace('line 2', 'two'), 'c\n']);
    expect(await labels()).toContain('the revert of 3 files: partly');
  });

  it('is undone by file and by hunk', async () => {
    const uri = await start({ 'a.txt': OLD, 'b.txt': 'b\n' });
    bench.write('a.txt', NEW);
    bench.write('b.txt', 'new b\n');
    await bench.invoke(uri, 'revert');
    const step = await idOf('the revert of 2 files');
    const { hunks = [] } = (await fileOf(step, 'a.txt')) ?? {};
    expect(hunks.map(({ after, undone }) => [after.start, after.count, undone])).toEqual([
      [1, 1, false],
      [7, 1, false],
    ]);
    await undo({ step, path: 'a.txt', hunks: [1] });
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual([OLD.replace('line 8', 'eight'), 'b\n']);
    expect((await fileOf(step, 'a.txt'))?.hunks?.map(({ undone }) => undone)).toEqual([false, true]);
    await undo({ step, path: 'b.txt' });
    expect(bench.read('b.txt')).toBe('new b\n');
    await redo({ step, path: 'a.txt' });
    expect(bench.read('a.txt')).toBe(OLD);
    await undo({ step });
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual([NEW, 'new b\n']);
  });

  it('can be undone by the changeset as well, one after the other', async () => {
    const uri = await start({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    bench.write('a.txt', 'new a\n');
    bench.write('b.txt', 'new b\n');
    await bench.invoke(uri, 'revert', bench.resource('a.txt'));
    await bench.invoke(uri, 'revert', bench.resource('b.txt'));
    await undo({ step: await idOf('the revert of b.txt') });
    expect((await bench.operation(uri, 'undo', 'idle')).description).toContain('the revert of a.txt');
    await bench.invoke(uri, 'undo');
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual(['new a\n', 'new b\n']);
    expect((await bench.operation(uri, 'undo', 'disabled')).description).toContain('nothing to undo');
    await redo();
    expect((await bench.operation(uri, 'undo', 'idle')).description).toContain('the revert of a.txt');
  });

  it('shows again in the changeset of its turn, hunk by hunk', async () => {
    await start({ 'a.txt': OLD });
    const turnId = await bench.turn('/replace a.txt line 2\\n => two\\n\n/replace a.txt line 8\\n => eight\\n');
    const uri = bench.turnUri(turnId);
    const counts = (added: number) => bench.changeset(uri, ({ files }) => (files[0]?.edit.diff?.added ?? 0) === added);
    await counts(2);
    await bench.invoke(uri, 'revert');
    await counts(0);
    const step = await idOf('the revert of a.txt');
    await undo({ step, path: 'a.txt', hunks: [0] });
    await counts(1);
    await undo({ step });
    expect(bench.read('a.txt')).toBe(NEW);
    await counts(2);
    await redo({ step });
    await counts(1);
    await redo({ step });
    await counts(0);
    expect(bench.read('a.txt')).toBe(OLD);
  });
});

describe('what was removed', () => {
  it('can be read, from disk and from the index', async () => {
    const uri = await start({ 'a.txt': 'a\n' });
    bench.write('a.txt', 'staged\n');
    bench.git('add', '.');
    bench.write('a.txt', 'on disk\n');
    await bench.invoke(uri, 'revert', bench.resource('a.txt'));
    bench.git('gc', '-q', '--prune=now');
    const [file] = (await history())[0]?.files ?? [];
    expect(await bench.text(file?.before ?? '')).toBe('on disk\n');
    expect(await bench.text(file?.stagedBefore ?? '')).toBe('staged\n');
    expect(await bench.text(file?.after ?? '')).toBe('a\n');
  });

  it('outlives the turn, the truncated chat, and the session that is deleted for good', async () => {
    await start({ 'a.txt': 'a\n' });
    const first = await bench.turn('/write a.txt by the agent\\n');
    const title = 'A session that goes';
    bench.client.dispatch(bench.session, { type: 'session/titleChanged', title });
    await bench.invoke(bench.turnUri(first), 'revert');
    bench.client.dispatch(bench.chat, { type: 'chat/truncated' });
    await bench.client.sync();
    const step = await idOf('the revert of a.txt');
    await undo({ step });
    expect(bench.read('a.txt')).toBe('by the agent\n');
    await redo({ step });
    await bench.client.request('disposeSession', { channel: bench.session });
    await bench.host.stop();
    const store = openSqliteStore({ file: join(bench.host.folder, 'store.sqlite') });
    expect(store.sessions.purge(Number.MAX_SAFE_INTEGER)).toBe(1);
    store.close();
    bench.git('gc', '-q', '--prune=now');
    await bench.host.start();
    bench.client = await bench.host.client();
    expect((await history()).map(({ sessionTitle }) => sessionTitle)).toEqual([title, title, title]);
    await undo({ step });
    expect(bench.read('a.txt')).toBe('by the agent\n');
    await bench.host.restart();
    bench.client = await bench.host.client();
    expect((await bench.client.request('listSessions', { channel: ROOT_URI })).items).toEqual([]);
    expect((await history()).length).toBe(4);
  });

  it('is kept for as long as the settings say, with what it needs', async () => {
    const clock = new TidyClock();
    const uri = await start({ 'a.txt': 'a\n' }, { clock });
    const pass = async (times: number) => {
      for (let time = 0; time < times; time++) {
        const { tidied } = clock;
        clock.advance(6 * 3_600_000);
        await expect.poll(() => clock.tidied, PATIENT).toBeGreaterThan(tidied);
      }
    };
    bench.client.dispatch(ROOT_URI, { type: 'root/configChanged', config: { keepUndoDays: '7' } });
    bench.write('a.txt', 'old work\n');
    await bench.invoke(uri, 'revert');
    await pass(12);
    bench.write('a.txt', 'new work\n');
    await bench.invoke(uri, 'revert');
    const [newer, older] = await history();
    expect(await bench.text(older?.files[0]?.before ?? '')).toBe('old work\n');
    await bench.client.request('disposeSession', { channel: bench.session });
    await pass(20);
    expect(await labels()).toEqual(['the revert of a.txt: none']);
    expect((await refused({ step: older?.id })).message).toContain('no such step');
    expect(await bench.text(newer?.files[0]?.before ?? '')).toBe('new work\n');
    await undo();
    expect(bench.read('a.txt')).toBe('new work\n');
  });
});

/** Counts how often the host has deleted what is old: it waits six hours after each time. */
class TidyClock extends ManualClock {
  tidied = 0;

  override setTimeout(run: () => void, milliseconds: number): unknown {
    if (milliseconds === 6 * 3_600_000) this.tidied++;
    return super.setTimeout(run, milliseconds);
  }
}

describe('the list', () => {
  it('comes in pages, newest first, and says who did what', async () => {
    const uri = await start({ 'a.txt': OLD });
    for (let time = 0; time < 5; time++) {
      bench.write('a.txt', `version ${time}\n`);
      await bench.invoke(uri, 'revert');
    }
    const all = await history();
    expect(all).toHaveLength(5);
    const first = await list({ limit: 2 });
    const second = await list({ limit: 3, cursor: first.nextCursor as string });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(second.nextCursor).toBeUndefined();
    expect(all[0]).toMatchObject({ operation: 'revert', session: bench.session, fileCount: 1, undone: 'none' });
    expect(all[0]?.client).toBeTruthy();
    expect(all[0]?.at).toBeGreaterThan(0);
  });

  it.each<[string, object, number]>([
    ['a step that is not there', { step: 'nothing' }, -32008],
    ['a file that the step does not have', { path: 'b.txt' }, -32602],
    ['hunks without a file', { hunks: [0] }, -32602],
    ['hunks that are not there', { path: 'a.txt', hunks: [7] }, -32602],
    ['a folder that is not served', { folder: 'file:///' }, -32602],
    ['hunks that are no numbers', { path: 'a.txt', hunks: ['x'] }, -32602],
  ])('refuses %s', async (_what, params, code) => {
    const uri = await start({ 'a.txt': 'a\n' });
    bench.write('a.txt', 'new\n');
    await bench.invoke(uri, 'revert');
    const error = await refused(params);
    expect(error.code, error.message).toBe(code);
    expect(bench.read('a.txt')).toBe('a\n');
    expect(await labels()).toEqual(['the revert of a.txt: none']);
  });

  it('has what could be undone in a store of before', async () => {
    const uri = await start({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    bench.write('a.txt', 'new a\n');
    bench.write('b.txt', 'new b\n');
    await bench.invoke(uri, 'revert', bench.resource('a.txt'));
    await bench.invoke(uri, 'revert', bench.resource('b.txt'));
    await bench.host.stop();
    asBefore(join(bench.host.folder, 'store.sqlite'));
    await bench.host.start();
    bench.client = await bench.host.client();
    await bench.client.subscribe(bench.session);
    expect(await labels()).toEqual(['the revert of b.txt: none', 'the revert of a.txt: none']);
    await undo({ step: await idOf('the revert of a.txt') });
    await bench.invoke(uri, 'undo');
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual(['new a\n', 'new b\n']);
  });
});

/** Puts a store back into the form of format 3, in which operations belonged to sessions. */
function asBefore(file: string): void {
  const database = openDatabase(file);
  database.exec(`
    DELETE FROM documents WHERE collection = 'changes' AND (key LIKE 'history %' OR key = 'history-folders');
    UPDATE documents SET session_id = (SELECT id FROM sessions),
      json = json_remove(json, '$.at', '$.by', '$.previous') WHERE collection = 'changes' AND key LIKE 'operation %';
    DROP TABLE feed;
    DROP TABLE feed_changes;
    ALTER TABLE log DROP COLUMN tick;
    PRAGMA user_version = 3;
  `);
  database.close();
}
