import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangesetState, SessionState } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { accepted, reasonFor } from '../support/actions.js';
import { ChangesBench, type ChangesBenchOptions } from '../support/changes-bench.js';
import { FailingStore } from '../support/failing-store.js';
import { commitAll, gitIn } from '../support/repository.js';
import { run } from '../support/run-from-small-process.js';

let bench: ChangesBench;
afterEach(() => bench.dispose({ expectErrors: /store\.commit-failed/ }));

const OLD = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');

describe('open-diff', () => {
  it('gives a patch that git applies, of everything and of one file', async () => {
    bench = await ChangesBench.start({
      prepare: (b) =>
        b.commit({ 'a.txt': OLD, 'gone.txt': 'bye\n', 'b.bin': Buffer.from([0, 1, 2]), 'm.txt': OLD.toUpperCase() }),
    });
    bench.write('a.txt', OLD.replace('line 3', 'three'));
    bench.write('new.txt', 'new');
    bench.write('b.bin', Buffer.from([0, 3, 4]));
    bench.remove('gone.txt');
    bench.git('mv', 'm.txt', 'moved.txt');
    symlinkSync('a.txt', join(bench.folder, 'link'));
    const after = bench.tree();
    const uri = bench.uri({ kind: 'uncommitted' });
    const { followUp } = await bench.invoke(uri, 'open-diff');
    const { followUp: one } = await bench.invoke(uri, 'open-diff', bench.resource('a.txt'));
    expect(followUp?.content.contentType).toBe('text/x-diff');
    const patch = await bench.text(followUp?.content.uri ?? '');
    expect(Buffer.byteLength(patch)).toBe(followUp?.content.sizeHint);
    bench.git('reset', '-q', '--hard');
    bench.git('clean', '-qfd');
    run('git', ['-C', bench.folder, 'apply'], { input: patch });
    expect(bench.tree()).toEqual(after);
    bench.git('reset', '-q', '--hard');
    bench.git('clean', '-qfd');
    run('git', ['-C', bench.folder, 'apply'], { input: await bench.text(one?.content.uri ?? '') });
    expect(bench.git('status', '--porcelain').trim()).toBe('M a.txt');
  });
});

describe('restore', () => {
  it('brings the folder back to how it was after the turn, and the undo brings back the rest', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': 'one\n', 'b.txt': 'b\n' }) });
    const first = await bench.turn('/append a.txt first\\n\n/write new/x.txt x\\n');
    const then = bench.tree();
    await bench.turn('/append a.txt second\\n\n/delete new/x.txt');
    bench.write('mine.txt', 'mine\n');
    bench.remove('b.txt');
    const now = bench.tree();
    const uri = bench.turnUri(first);
    expect((await bench.invoke(uri, 'restore')).message).toBe('Restored 4 files.');
    expect(bench.tree()).toEqual(then);
    await bench.expectUndo(uri, now);
    await bench.comeBack();
    await bench.invoke(uri, 'restore');
    expect(bench.tree()).toEqual(then);
    expect((await bench.invoke(uri, 'restore')).message).toContain('as they were');
    const session = await bench.changeset(bench.uri({ kind: 'session' }));
    expect(session.files.map(({ id }) => id.slice(id.lastIndexOf('/') + 1)).sort()).toEqual(['a.txt', 'x.txt']);
  });
});

describe('keep', () => {
  const fileOf = ({ files }: ChangesetState, name: string) => files.find(({ id }) => id.endsWith(`/${name}`));
  const reviewed = (state: ChangesetState, name: string) => fileOf(state, name)?._meta;

  it.each(['turn', 'uncommitted'] as const)('marks files and hunks of %s as reviewed', async (kind) => {
    bench = await ChangesBench.start({
      prepare: (b) => b.commit({ 'a.txt': OLD, 'b.txt': 'b\n', 'c.bin': Buffer.from([0]) }),
    });
    const turnId = await bench.turn(
      '/replace a.txt line 2\\n => two\\n\n/replace a.txt line 12 => twelve\n/append b.txt x\\n',
    );
    const uri = kind === 'turn' ? bench.turnUri(turnId) : bench.uri({ kind });
    const before = bench.tree();
    await bench.invoke(uri, 'keep', bench.lines('a.txt', 2, 2));
    const part = await bench.changeset(
      uri,
      (state) => reviewed(state, 'a.txt')?.['moorage.reviewedHunks'] !== undefined,
    );
    expect(reviewed(part, 'a.txt')?.['moorage.reviewedHunks']).toEqual([
      { before: { start: 2, count: 1 }, after: { start: 2, count: 1 } },
    ]);
    expect(fileOf(part, 'b.txt')?.reviewed).toBeUndefined();
    await bench.invoke(uri, 'keep', bench.resource('b.txt'));
    await bench.changeset(uri, (state) => fileOf(state, 'b.txt')?.reviewed === true);
    await bench.invoke(uri, 'keep');
    await bench.changeset(uri, (state) => fileOf(state, 'a.txt')?.reviewed === true);
    expect(bench.tree()).toEqual(before);
  });

  it('survives edits of other hunks and a restart, and not edits of its own', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': OLD, 'b.bin': Buffer.from([0, 1]) }) });
    const uri = bench.uri({ kind: 'uncommitted' });
    bench.write('a.txt', OLD.replace('line 2\n', 'two\n').replace('line 12', 'twelve'));
    bench.write('b.bin', Buffer.from([0, 2]));
    await bench.invoke(uri, 'keep', bench.lines('a.txt', 12, 12));
    await bench.invoke(uri, 'keep', bench.resource('b.bin'));
    bench.write('a.txt', OLD.replace('line 2\n', 'two\nand a half\n').replace('line 12', 'twelve'));
    await bench.comeBack();
    const state = await bench.changeset(uri, (one) => reviewed(one, 'a.txt')?.['moorage.reviewedHunks'] !== undefined);
    expect(reviewed(state, 'a.txt')?.['moorage.reviewedHunks']).toEqual([
      { before: { start: 12, count: 1 }, after: { start: 13, count: 1 } },
    ]);
    expect(fileOf(state, 'b.bin')).toMatchObject({ reviewed: true, _meta: { 'moorage.binary': true } });
    bench.write('a.txt', OLD.replace('line 2\n', 'two\n').replace('line 12', 'a dozen'));
    bench.write('b.bin', Buffer.from([0, 3]));
    await bench.changeset(
      uri,
      (one) => !reviewed(one, 'a.txt')?.['moorage.reviewedHunks'] && !fileOf(one, 'b.bin')?.reviewed,
    );
  });
});

describe('changeset/filesReviewChanged', () => {
  const marks = ({ files }: ChangesetState) =>
    files.map(({ id, reviewed }) => [id.split('/').at(-1), reviewed ?? false]);

  it('marks files for everybody, and takes the mark back; it is kept until the file changes', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': 'a\n', 'b.txt': 'b\n' }) });
    const uri = bench.uri({ kind: 'uncommitted' });
    bench.write('a.txt', 'one\n');
    bench.write('b.txt', 'two\n');
    const { files } = await bench.changeset(uri, (state) => state.files.length === 2);
    const review = (ids: string[], reviewed: boolean) => ({
      type: 'changeset/filesReviewChanged',
      files: ids,
      reviewed,
    });
    const ids = files.map(({ id }) => id);
    await accepted(bench.client, uri, review(ids, true));
    await bench.comeBack();
    await bench.changeset(uri, (state) => state.files.length === 2 && state.files.every((file) => file.reviewed));
    await accepted(bench.client, uri, review(ids.slice(0, 1), false));
    await bench.comeBack();
    const after = await bench.changeset(uri, (state) => state.files.length === 2 && state.status === 'ready');
    expect(marks(after)).toEqual([
      ['a.txt', false],
      ['b.txt', true],
    ]);
    bench.write('b.txt', 'three\n');
    await bench.changeset(uri, (state) => state.files.length === 2 && state.files.every((file) => !file.reviewed));
    expect(await reasonFor(bench.client, uri, review(['file:///none'], true))).toContain('no file');
  });

  it('is shared by all changesets with the same hunks, and can be taken back for one hunk', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': OLD, 'b.bin': Buffer.from([0, 1]) }) });
    const turnId = await bench.turn('/replace a.txt line 2\\n => two\\n\n/replace a.txt line 12 => twelve');
    const [turn, session, uncommitted] = [
      bench.turnUri(turnId),
      bench.uri({ kind: 'session' }),
      bench.uri({ kind: 'uncommitted' }),
    ];
    const [file] = (await bench.changeset(turn)).files.map(({ id }) => id);
    const all = { type: 'changeset/filesReviewChanged', files: [file ?? ''], reviewed: true };
    await accepted(bench.client, turn, all);
    for (const uri of [turn, session, uncommitted])
      await bench.changeset(uri, ({ files }) => files[0]?.reviewed === true);
    const lines = { start: 2, count: 1 };
    const params = { channel: session, file: file ?? '', side: 'after' as const, lines };
    expect(await bench.client.request('moorage/reviewLines', { ...params, reviewed: false })).toBeNull();
    for (const uri of [turn, session, uncommitted]) {
      const { files } = await bench.changeset(uri, (state) => !state.files[0]?.reviewed);
      expect(files[0]?._meta?.['moorage.reviewedHunks']).toEqual([
        { before: { start: 12, count: 1 }, after: { start: 12, count: 1 } },
      ]);
    }
    await bench.client.request('moorage/reviewLines', { ...params, channel: uncommitted, reviewed: true });
    await bench.changeset(session, ({ files }) => files[0]?.reviewed === true);
    const refused = (more: object) =>
      bench.client.refused('moorage/reviewLines', { ...params, reviewed: true, ...more });
    expect(await refused({ lines: { start: 5, count: 1 } })).toMatchObject({ code: -32602 });
    expect(await refused({ file: 'none' })).toMatchObject({ code: -32602 });
    expect(await refused({ channel: bench.turnUri('none') })).toMatchObject({ code: -32008 });
  });

  it('goes when the file changes, which is said until it is marked again', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': OLD }) });
    const uri = bench.uri({ kind: 'uncommitted' });
    bench.write('a.txt', OLD.replace('line 2\n', 'two\n'));
    const [file] = (await bench.changeset(uri, ({ files }) => files.length === 1)).files.map(({ id }) => id);
    const all = { type: 'changeset/filesReviewChanged', files: [file ?? ''], reviewed: true };
    await accepted(bench.client, uri, all);
    await bench.changeset(uri, ({ files }) => files[0]?.reviewed === true);
    bench.write('a.txt', OLD.replace('line 2\n', 'two\n').replace('line 12', 'twelve'));
    const { files } = await bench.changeset(uri, (state) => state.files[0]?.edit.diff?.added === 2);
    expect(files[0]).not.toHaveProperty('reviewed', true);
    expect(files[0]?._meta).toEqual({
      'moorage.changedSinceReviewed': true,
      'moorage.reviewedHunks': [{ before: { start: 2, count: 1 }, after: { start: 2, count: 1 } }],
    });
    await accepted(bench.client, uri, all);
    const again = await bench.changeset(uri, (state) => state.files[0]?.reviewed === true && !state.files[0]._meta);
    expect(again.files[0]?._meta).toBeUndefined();
  });

  const file = (uri: string) => ({ channel: uri, file: `${bench.host.workspaceUri}/a.txt` });
  it.each<[string, (uri: string) => Promise<unknown>]>([
    [
      'by its action',
      (uri) =>
        accepted(bench.client, uri, {
          type: 'changeset/filesReviewChanged',
          files: [file(uri).file],
          reviewed: true,
        }),
    ],
    ['by an operation', (uri) => bench.invoke(uri, 'keep', { kind: 'resource', resource: file(uri).file })],
    [
      'by its lines',
      (uri) =>
        bench.client.request('moorage/reviewLines', {
          ...file(uri),
          side: 'after',
          lines: { start: 2, count: 1 },
          reviewed: true,
        }),
    ],
  ])('is of what was shown, also if the file has changed by then: %s', async (_how, mark) => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': OLD }) });
    const uri = bench.uri({ kind: 'uncommitted' });
    const shown = OLD.replace('line 2\n', 'two\n');
    bench.write('a.txt', shown);
    const [before] = (await bench.changeset(uri, ({ files }) => files.length === 1)).files;
    bench.write('a.txt', OLD.replace('line 2\n', 'TWO\n')); // nobody has been shown this yet
    await mark(uri);
    const isOther = ({ files: [now] }: ChangesetState) =>
      now?.edit.after?.content.uri !== before?.edit.after?.content.uri;
    const { files } = await bench.changeset(uri, isOther);
    expect(files[0]).not.toHaveProperty('reviewed', true);
    expect(files[0]?._meta ?? {}).not.toHaveProperty(['moorage.reviewedHunks']);
    bench.write('a.txt', shown);
    await bench.changeset(uri, ({ files: [now] }) => now?.reviewed === true);
  });

  it('is offered by the catalogue', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': 'a\n' }) });
    const { changesets } = await bench.client.subscribe<SessionState>(bench.session);
    expect(changesets?.every(({ capabilities }) => capabilities?.review)).toBe(true);
  });
});

describe('in a folder deep in a repository', () => {
  it('takes back, stages and commits its own files', async () => {
    bench = await ChangesBench.start({
      prepare: (b) => {
        mkdirSync(join(b.folder, 'deep'));
        b.commit({ 'top.txt': 'top\n', 'deep/a.txt': OLD });
        b.git('config', 'user.name', 'Ada');
        b.git('config', 'user.email', 'ada@example.org');
      },
    });
    const made = await bench.host.session(bench.client, { workingDirectories: [`${bench.host.workspaceUri}/deep`] });
    bench.session = made.session;
    bench.write('top.txt', 'changed\n');
    bench.write('deep/a.txt', OLD.replace('line 2\n', 'two\n').replace('line 12', 'twelve'));
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.invoke(uri, 'revert', bench.lines('deep/a.txt', 2, 2));
    expect(bench.read('deep/a.txt')).toBe(OLD.replace('line 12', 'twelve'));
    await bench.invoke(uri, 'undo');
    await bench.invoke(uri, 'stage', bench.lines('deep/a.txt', 12, 12));
    expect(bench.git('show', ':deep/a.txt')).toBe(OLD.replace('line 12', 'twelve'));
    await bench.invoke(uri, 'unstage');
    await bench.invoke(uri, 'commit', undefined, { 'moorage.what': 'all' });
    expect(bench.git('show', '--format=', '--name-only').trim()).toBe('deep/a.txt');
    expect(bench.git('status', '--porcelain').trim()).toBe('M top.txt');
  });
});

describe('a nested repository', () => {
  const inside = (...args: string[]) => gitIn(join(bench.folder, 'nested'), ...args);

  /** It is part of the outer repository, and has a second commit that is not. */
  async function start(options: ChangesBenchOptions = {}): Promise<string> {
    bench = await ChangesBench.start({
      ...options,
      prepare: (b) => {
        bench = b;
        b.write('nested/n.txt', 'one\n');
        commitAll(join(b.folder, 'nested'));
        b.commit({ 'a.txt': 'one\n' });
      },
    });
    bench.write('a.txt', 'one\ntwo\n');
    bench.write('nested/n.txt', 'two\n');
    inside('commit', '-q', '-a', '-m', 'second');
    return bench.uri({ kind: 'uncommitted' });
  }

  it('goes back to the commit it was at, with the files around it, and forth to its branch', async () => {
    const uri = await start();
    const [first, second] = [inside('rev-parse', 'HEAD~1'), inside('rev-parse', 'HEAD')];
    await bench.invoke(uri, 'revert');
    expect([inside('rev-parse', 'HEAD'), bench.read('nested/n.txt'), bench.read('a.txt')]).toEqual([
      first,
      'one\n',
      'one\n',
    ]);
    expect(inside('rev-parse', 'main')).toBe(second);
    await bench.invoke(uri, 'undo');
    expect([inside('branch', '--show-current'), bench.read('nested/n.txt')]).toEqual(['main', 'two\n']);
    expect(bench.read('a.txt')).toBe('one\ntwo\n');
  });

  it('goes back when the host starts again, if it was cut off while the files around it already had', async () => {
    const store = new FailingStore();
    const uri = await start({ store: store.wrap });
    const first = inside('rev-parse', 'HEAD~1');
    store.fail(({ documents = [] }) => documents.some(({ json }) => json?.includes('"undo":')));
    await bench.refused(uri, 'revert'); // it was done, but for the next life of the host it was cut off
    store.recover();
    inside('checkout', '--quiet', 'main'); // as it was before
    await bench.comeBack();
    await bench.operation(uri, 'revert', 'disabled');
    expect([inside('rev-parse', 'HEAD'), bench.read('nested/n.txt'), bench.read('a.txt')]).toEqual([
      first,
      'one\n',
      'one\n',
    ]);
    await bench.invoke(uri, 'undo');
    expect([inside('branch', '--show-current'), bench.read('a.txt')]).toEqual(['main', 'one\ntwo\n']);
  });

  it('is left alone when it has changes of its own, and so is everything else', async () => {
    const uri = await start();
    bench.write('nested/n.txt', 'not committed\n');
    expect((await bench.refused(uri, 'revert')).message).toContain('nested is a repository with changes');
    expect([bench.read('a.txt'), bench.read('nested/n.txt')]).toEqual(['one\ntwo\n', 'not committed\n']);
  });
});
