import { join } from 'node:path';
import { type ChangesetOperationTarget, fileUri, type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';

const LINES = Array.from({ length: 20 }, (_, line) => `line ${line}`);
const text = (changed: Readonly<Record<number, string>> = {}) =>
  LINES.map((line, at) => `${changed[at] ?? line}\n`).join('');

let bench: ChangesBench;
/** The commit that is split: lines 2, 8 and 15 of a.txt, b.txt, and a file that moved. Another one follows. */
let mixed: string;
beforeEach(async () => {
  bench = await ChangesBench.start({
    prepare: (b) => {
      b.commit({ 'a.txt': text(), 'b.txt': 'b\n', 'old.txt': text({ 1: 'moves' }) });
      b.git('config', 'user.name', 'Ada');
      b.git('config', 'user.email', 'ada@localhost');
      b.git('switch', '-q', '-c', 'work');
      b.write('a.txt', text({ 2: 'two', 8: 'eight', 15: 'fifteen' }));
      b.write('b.txt', 'second\n');
      b.git('mv', 'old.txt', 'new.txt');
      b.git('commit', '-qam', 'Mixed', '--author', 'Bob <bob@localhost>', '--date', '2026-01-02T03:04:05Z');
      b.write('c.txt', 'c\n');
      b.git('add', '.');
      b.git('commit', '-qm', 'Later');
    },
  });
  mixed = bench.git('rev-parse', 'HEAD~1').trim();
});
afterEach(() => bench.dispose());

const uri = (commit = mixed) => bench.uri({ kind: 'commit', commit });
const meta = (parts: readonly ChangesetOperationTarget[], message = 'Chosen') => ({
  'moorage.parts': parts,
  'moorage.message': message,
});
const split = (parts: readonly ChangesetOperationTarget[], commit = mixed) =>
  bench.invoke(uri(commit), 'split', undefined, meta(parts));
const refused = async (parts: readonly ChangesetOperationTarget[], commit = mixed) =>
  (await bench.refused(uri(commit), 'split', undefined, meta(parts))).message;
const log = () => bench.git('log', '--format=%an %ae %ad %ce %cd %s').trim().split('\n');
const namesIn = (revision: string) =>
  bench.git('show', '--format=', '--name-status', '--no-renames', revision).trim().split('\n');

it('a commit is shown as a changeset', async () => {
  const { files } = await bench.changeset(uri(mixed.slice(0, 8)));
  const counts = files.map(({ id, edit }) => [id.split('/').pop(), edit.diff?.added, edit.diff?.removed]);
  expect(counts).toEqual([
    ['a.txt', 3, 3],
    ['b.txt', 1, 1],
    ['new.txt', 0, 0],
  ]);
  const content = files[0]?.edit.after?.content.uri ?? '';
  expect(await bench.text(content)).toBe(text({ 2: 'two', 8: 'eight', 15: 'fifteen' }));
  expect((await bench.changeset(uri('abcdef12'))).files).toEqual([]);
});

describe('what is chosen of a commit', () => {
  it('becomes a commit before the rest; trees, authors, dates, files and the index stay', async () => {
    bench.write('b.txt', 'staged\n');
    bench.git('add', 'b.txt');
    bench.write('a.txt', 'on disk\n');
    const [tree, status, lines] = [bench.tree(), bench.git('status', '--porcelain'), log()];
    const trees = ['HEAD', 'HEAD~1'].map((revision) => bench.git('rev-parse', `${revision}^{tree}`));
    const { message } = await split([bench.lines('a.txt', 8, 8), bench.lines('a.txt', 2, 2), bench.resource('b.txt')]);
    expect(message).toMatch(/^Split \w{7}: \w{7} has 2 files, \w{7} has the rest\.$/);
    expect(['HEAD', 'HEAD~1'].map((revision) => bench.git('rev-parse', `${revision}^{tree}`))).toEqual(trees);
    expect([bench.tree(), bench.git('status', '--porcelain')]).toEqual([tree, status]);
    const [later = '', whole = '', ...before] = lines;
    expect(log()).toEqual([later, whole, whole.replace('Mixed', 'Chosen'), ...before]);
    expect(bench.git('show', 'HEAD~2:a.txt')).toBe(text({ 2: 'two', 8: 'eight' }));
    expect(namesIn('HEAD~2')).toEqual(['M\ta.txt', 'M\tb.txt']);
    expect(namesIn('HEAD~1')).toEqual(['M\ta.txt', 'A\tnew.txt', 'D\told.txt']);
    expect(bench.git('fsck', '--no-dangling')).toBe('');
  });

  it('is undone and redone', async () => {
    const old = bench.git('rev-parse', 'HEAD');
    await bench.invoke(uri(), 'split', bench.resource('new.txt'), { 'moorage.message': 'Move' });
    const fresh = bench.git('rev-parse', 'HEAD');
    expect(namesIn('HEAD~2')).toEqual(['A\tnew.txt', 'D\told.txt']);
    await bench.invoke(uri(), 'undo');
    expect([bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain')]).toEqual([old, '']);
    await bench.client.request('moorage/redoHistoryStep', { channel: 'ahp-root://', folder: bench.host.workspaceUri });
    expect([bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain')]).toEqual([fresh, '']);
    bench.git('update-ref', 'refs/remotes/origin/work', 'HEAD~1');
    expect((await bench.refused(uri(), 'undo')).message).toContain('has been pushed');
  });

  it('may be of the first commit of a repository, of the last, and of a commit in another encoding', async () => {
    await bench.dispose();
    bench = await ChangesBench.start({
      prepare: (b) => {
        b.git('init', '-q', '-b', 'work');
        b.write('a.txt', 'a\n');
        b.write('b.txt', 'b\n');
        b.git('add', '.');
        b.git('-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '-qm', 'First');
      },
    });
    const tree = bench.git('rev-parse', 'HEAD^{tree}');
    const params = meta([bench.resource('b.txt')], 'Größe\n\nWarum\n');
    await bench.invoke(uri(bench.git('rev-parse', 'HEAD').trim()), 'split', undefined, params);
    expect(bench.git('log', '--format=%s')).toBe('First\nGröße\n');
    expect([bench.git('rev-parse', 'HEAD^{tree}'), bench.git('ls-tree', '--name-only', 'HEAD~1')]).toEqual([
      tree,
      'b.txt\n',
    ]);
    expect(bench.git('cat-file', 'commit', 'HEAD~1')).not.toMatch(/^(encoding|parent)/m);
    expect(bench.git('cat-file', 'commit', 'HEAD')).toMatch(/^encoding ISO-8859-1$/m);
    expect(bench.git('fsck', '--no-dangling')).toBe('');
  });

  it('leaves what the commit changed outside of the folder to the rest', async () => {
    await bench.dispose();
    bench = await ChangesBench.start({
      prepare: (b) => {
        b.write('sub/a.txt', text());
        b.commit({ 'a.txt': 'top\n' });
        b.git('switch', '-q', '-c', 'work');
        b.write('sub/a.txt', text({ 2: 'two' }));
        b.write('a.txt', 'changed\n');
        b.git('commit', '-qam', 'Mixed');
      },
    });
    const workingDirectories = [fileUri(join(bench.folder, 'sub'))];
    bench.session = sessionUri.format(crypto.randomUUID());
    await bench.client.request('createSession', { channel: bench.session, provider: 'demo', workingDirectories });
    const state = await bench.client.subscribe<SessionState>(bench.session);
    if (!state.changesets) await bench.client.action(bench.session, 'session/changesetsChanged');
    await split([bench.resource('sub/a.txt')], bench.git('rev-parse', 'HEAD').trim());
    expect([namesIn('HEAD~1'), namesIn('HEAD')]).toEqual([['M\tsub/a.txt'], ['M\ta.txt']]);
    expect(bench.git('status', '--porcelain')).toBe('');
  });
});

describe('a split is refused, and nothing changes,', () => {
  const all = () => ['a.txt', 'b.txt', 'new.txt'].map((path) => bench.resource(path));
  let before: string[];
  const now = () => [bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain')];
  beforeEach(() => {
    before = now();
  });

  it('if everything or nothing is chosen, without a message, or for what the commit does not have', async () => {
    expect(await refused(all())).toContain('all of the commit is chosen');
    expect(await refused([])).toContain('expected between 1 and');
    expect(await refused([bench.resource('c.txt')])).toContain('expected the URI of a file of this changeset');
    expect(await refused([{ kind: 'resource' } as never])).toContain('expected between 1 and');
    const { code, message } = await bench.refused(uri(), 'split', bench.resource('a.txt'));
    expect([code, message]).toEqual([-32602, expect.stringContaining('expected the message of the new commit')]);
    expect(await refused(all(), 'abcdef12')).toContain('There is no such commit here');
    expect((await bench.refused(bench.uri({ kind: 'commit', commit: '--all' }), 'split')).code).toBe(-32008);
    expect(now()).toEqual(before);
  });

  it('if the commit was pushed, another branch has it, or it is not of this branch', async () => {
    bench.git('update-ref', 'refs/remotes/origin/work', 'HEAD~1');
    expect(await refused([bench.resource('a.txt')])).toContain('origin/work has the commit as well');
    bench.git('update-ref', '-d', 'refs/remotes/origin/work');
    bench.git('switch', '-q', 'main');
    expect(await refused([bench.resource('a.txt')])).toContain('main has no commit');
    bench.git('switch', '-q', 'work');
    expect(now()).toEqual(before);
  });

  it('if it is a merge, or a rebase is under way, or there is a conflict', async () => {
    bench.git('switch', '-q', '-c', 'side', 'main');
    bench.write('side.txt', 'side\n');
    bench.write('b.txt', 'other\n');
    bench.git('add', '.');
    bench.git('commit', '-qm', 'Side');
    bench.git('switch', '-q', 'work');
    expect(() => bench.git('rebase', '-q', 'side')).toThrow();
    expect(await refused([bench.resource('a.txt')])).toContain('a rebase is not finished');
    bench.git('rebase', '--abort');
    expect(now()).toEqual(before);
    bench.git('merge', '-q', '--no-edit', '-X', 'ours', 'side');
    bench.git('branch', '-qD', 'side');
    before = now();
    expect(await refused([bench.resource('side.txt')], bench.git('rev-parse', 'HEAD').trim())).toContain('is a merge');
    expect(await refused([bench.resource('a.txt')])).toContain('a merge follows it');
    expect(now()).toEqual(before);
    bench.git('reset', '-q', '--hard', 'HEAD^1');
    bench.write('b.txt', 'mine\n');
    bench.git('stash', '-q');
    bench.write('b.txt', 'theirs\n');
    bench.git('commit', '-qam', 'Theirs');
    expect(() => bench.git('stash', 'pop')).toThrow();
    before = now();
    expect(await refused([bench.resource('a.txt')])).toContain('There is a conflict in b.txt');
    expect(now()).toEqual(before);
  });
});
