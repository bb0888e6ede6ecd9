import { join } from 'node:path';
import { type ChangesetOperationTarget, fileUri, type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';

const LINES = Array.from({ length: 20 }, (_, line) => `line ${line}`);
const text = (changed: Readonly<Record<number, string>> = {}) =>
  LINES.map((line, at) => `${changed[at] ?? line}\n`).join('');

let bench: ChangesBench;
/** Short ids of the commits, the oldest first: the start, `First`, `Second`. */
let commits: string[];
beforeEach(async () => {
  bench = await ChangesBench.start({
    prepare: (b) => {
      b.commit({ 'a.txt': text(), 'b.txt': 'b\n' });
      b.git('config', 'user.name', 'Ada');
      b.git('config', 'user.email', 'ada@localhost');
      b.git('switch', '-q', '-c', 'work');
      b.write('a.txt', text({ 2: 'first' }));
      b.git('commit', '-qam', 'First', '--author', 'Bob <bob@localhost>', '--date', '2026-01-02T03:04:05Z');
      b.write('b.txt', 'second\n');
      b.git('commit', '-qam', 'Second');
    },
  });
  commits = bench.git('log', '--reverse', '--format=%h').trim().split('\n');
});
afterEach(() => bench.dispose());

const uri = () => bench.uri({ kind: 'uncommitted' });
const fixup = (target: ChangesetOperationTarget, commit = commits[1]) =>
  bench.invoke(uri(), 'fixup', target, { 'moorage.commit': commit });
const refused = async (target: ChangesetOperationTarget, commit = commits[1]) =>
  (await bench.refused(uri(), 'fixup', target, { 'moorage.commit': commit })).message;
const at = (revision: string) => bench.git('show', `${revision}:a.txt`);

describe('a hunk into an earlier commit', () => {
  it('is there, and in all commits since, which otherwise stay the same; files and the rest are not touched', async () => {
    bench.write('a.txt', text({ 2: 'first', 8: 'fixed', 15: 'open' }));
    const before = [bench.tree(), bench.git('log', '--format=%an %ae %ad %s')];
    await fixup(bench.lines('a.txt', 8, 8));
    expect([bench.tree(), bench.git('log', '--format=%an %ae %ad %s')]).toEqual(before);
    expect([at('HEAD~2'), at('HEAD~1'), at('HEAD')]).toEqual([
      text(),
      text({ 2: 'first', 8: 'fixed' }),
      text({ 2: 'first', 8: 'fixed' }),
    ]);
    expect(bench.git('diff', '--name-only', 'HEAD~1', 'HEAD')).toBe('b.txt\n');
    expect(bench.git('status', '--porcelain')).toBe(' M a.txt\n');
    expect(bench.git('diff', '-U0').match(/^\+\w.*$/gm)).toEqual(['+open']);
    expect(bench.git('fsck', '--no-dangling')).toBe('');
  });

  it('is undone and redone as a whole', async () => {
    bench.write('a.txt', text({ 2: 'first', 8: 'fixed' }));
    const [tree, old] = [bench.tree(), bench.git('rev-parse', 'HEAD')];
    await fixup(bench.resource('a.txt'));
    const fresh = bench.git('rev-parse', 'HEAD');
    expect(bench.git('status', '--porcelain')).toBe('');
    await bench.invoke(uri(), 'undo');
    expect([bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain'), bench.tree()]).toEqual([
      old,
      ' M a.txt\n',
      tree,
    ]);
    const folder = bench.host.workspaceUri;
    await bench.client.request('moorage/redoHistoryStep', { channel: 'ahp-root://', folder });
    expect([bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain')]).toEqual([fresh, '']);
  });

  it('keeps what else is staged of the same file staged, and takes new and deleted files', async () => {
    bench.write('a.txt', text({ 2: 'first', 15: 'staged' }));
    bench.git('add', 'a.txt');
    bench.write('a.txt', text({ 2: 'first', 8: 'fixed', 15: 'staged' }));
    bench.write('new.txt', 'new\n');
    bench.remove('b.txt');
    await fixup(bench.lines('a.txt', 8, 8));
    expect(bench.git('diff', '--cached', '-U0').match(/^\+\w.*$/gm)).toEqual(['+staged']);
    await fixup(bench.resource('new.txt'), bench.git('rev-parse', 'HEAD~1').trim());
    expect(bench.git('show', 'HEAD~1:new.txt')).toBe('new\n');
    await fixup(bench.resource('b.txt', 'before'), bench.git('rev-parse', 'HEAD').trim());
    expect(bench.git('ls-tree', '--name-only', 'HEAD')).toBe('a.txt\nnew.txt\n');
    expect(bench.git('status', '--porcelain')).toBe('M  a.txt\n');
  });

  it('works in a folder of a repository', async () => {
    await bench.dispose();
    bench = await ChangesBench.start({
      prepare: (b) => {
        b.write('sub/a.txt', text());
        b.commit({ 'a.txt': 'top\n' });
        b.git('switch', '-q', '-c', 'work');
        b.write('sub/a.txt', text({ 2: 'first' }));
        b.git('commit', '-qam', 'First');
      },
    });
    const workingDirectories = [fileUri(join(bench.folder, 'sub'))];
    bench.session = sessionUri.format(crypto.randomUUID());
    await bench.client.request('createSession', { channel: bench.session, provider: 'demo', workingDirectories });
    const state = await bench.client.subscribe<SessionState>(bench.session);
    if (!state.changesets) await bench.client.action(bench.session, 'session/changesetsChanged');
    bench.write('sub/a.txt', text({ 2: 'first', 8: 'fixed' }));
    await fixup(bench.resource('sub/a.txt'), bench.git('rev-parse', 'HEAD').trim());
    expect(bench.git('status', '--porcelain')).toBe('');
    expect(bench.git('show', 'HEAD:sub/a.txt')).toBe(text({ 2: 'first', 8: 'fixed' }));
  });

  it('is refused, with the reason, and nothing changes', async () => {
    bench.write('a.txt', text({ 2: 'first', 8: 'fixed' }));
    bench.write('b.txt', 'third\n');
    const before = [bench.tree(), bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain')];
    expect(await refused(bench.resource('b.txt'))).toContain('has other lines at this place');
    expect(await refused(bench.resource('a.txt'), commits[0])).toContain('main has the commit as well');
    expect(await refused(bench.resource('a.txt'), 'abcdef123')).toContain('no commit abcdef123');
    expect(await refused(bench.resource('a.txt'), '--all')).toContain('expected the id of a commit');
    bench.git('update-ref', 'refs/remotes/origin/work', 'HEAD~1');
    expect(await refused(bench.resource('a.txt'))).toContain('origin/work has the commit as well');
    bench.git('update-ref', '-d', 'refs/remotes/origin/work');
    bench.git('switch', '-q', '--detach');
    expect(await refused(bench.resource('a.txt'))).toContain('no branch is checked out');
    bench.git('switch', '-q', 'work');
    expect([bench.tree(), bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain')]).toEqual(before);
  });

  it('leaves the branch where it was if the index cannot be written', async () => {
    bench.write('a.txt', text({ 2: 'first', 8: 'fixed' }));
    const before = [bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain')];
    bench.write('.git/index.lock', '');
    expect(await refused(bench.resource('a.txt'))).toContain('another git process is at work');
    bench.remove('.git/index.lock');
    expect([bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain')]).toEqual(before);
  });

  it('is not undone once it was pushed, or a merge follows', async () => {
    bench.write('a.txt', text({ 2: 'first', 8: 'fixed' }));
    await fixup(bench.resource('a.txt'));
    bench.git('update-ref', 'refs/remotes/origin/work', 'HEAD~1');
    expect((await bench.refused(uri(), 'undo')).message).toContain('has been pushed');
    bench.git('update-ref', '-d', 'refs/remotes/origin/work');
    bench.git('switch', '-q', '-c', 'side', 'HEAD~1');
    bench.write('side.txt', 'side\n');
    bench.git('add', '.');
    bench.git('commit', '-qm', 'Side');
    bench.git('switch', '-q', 'work');
    bench.git('merge', '-q', '--no-edit', 'side');
    bench.git('branch', '-qD', 'side');
    bench.write('a.txt', text({ 2: 'first', 8: 'fixed again' }));
    expect(await refused(bench.resource('a.txt'), bench.git('rev-parse', 'HEAD^1').trim())).toContain('merge');
  });
});
