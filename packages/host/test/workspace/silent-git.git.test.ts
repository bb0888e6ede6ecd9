import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { gitWorktrees } from '../../src/adapters/worktrees-git/index.js';
import type { FolderEditor } from '../../src/ports/folder-editor.js';
import { Bench } from './harness.js';

/** What git does not say is not what it says: without a commit, every file would look new, and a revert remove it. */
let bench: Bench;
const { PATH } = process.env;
beforeEach(() => {
  bench = new Bench();
});
afterEach(async () => {
  process.env.PATH = PATH;
  await bench.dispose();
});

/** Git dies when it is asked for one thing, as long as a file is there; gives back that file. */
function killGitAt(argument: string): string {
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const folder = join(bench.root, 'bin');
  const sign = join(bench.root, 'deadly');
  mkdirSync(folder);
  const script = `#!/bin/sh\n[ -e '${sign}' ] && case "$*" in *'${argument}'*) kill -9 $$;; esac\nexec '${real}' "$@"\n`;
  writeFileSync(join(folder, 'git'), script);
  chmodSync(join(folder, 'git'), 0o755);
  writeFileSync(sign, '');
  process.env.PATH = `${folder}${delimiter}${PATH}`;
  return sign;
}

it.each([
  ['HEAD^{tree}', 'head'],
  ['HEAD:part', 'head'],
  ['merge-base', 'mergeBase'],
  ['for-each-ref', 'mergeBase'],
] as const)('a git that is killed at %s is no answer', async (argument, what) => {
  bench.commit({ 'file.txt': 'one\n', 'part/file.txt': 'one\n' });
  if (argument === 'HEAD:part') bench.folder = join(bench.top, 'part');
  const workspace = bench.open().open(bench.folder);
  const sign = killGitAt(argument);
  await expect(workspace.reference(what, { freshness: 'exact' })).rejects.toThrow('it was killed');
  rmSync(sign);
  const reference = await workspace.reference(what, { freshness: 'exact' });
  expect(await workspace.compare(reference ?? '', await workspace.checkpoint({ freshness: 'exact' }))).toEqual([]);
});

it('a git that is killed while the first index is made leaves no part of it behind', async () => {
  bench.commit({ 'file.txt': 'one\n' });
  bench.git('update-index', '--assume-unchanged', 'file.txt');
  const workspace = bench.open().open(bench.folder);
  const sign = killGitAt('update-index -z --index-info');
  await expect(workspace.checkpoint({ freshness: 'exact' })).rejects.toThrow('it was killed');
  rmSync(sign);
  const before = await workspace.checkpoint({ freshness: 'exact' });
  bench.write('file.txt', 'two\n');
  const after = await workspace.checkpoint({ freshness: 'exact' });
  expect((await workspace.compare(before, after)).map((change) => change.after?.path)).toEqual(['file.txt']);
});

it.each([
  ['ls-tree', 'what is committed', (editor: FolderEditor) => editor.index.committed(['file.txt'])],
  ['diff-index', 'what is staged', (editor: FolderEditor) => editor.index.status({ freshness: 'exact' })],
  ['rev-parse --path-format', 'the repository', (editor: FolderEditor) => editor.repository.facts()],
  ['status --porcelain', 'what is not committed', (editor: FolderEditor) => editor.repository.facts()],
  [
    'rev-parse --verify --quiet HEAD',
    'a repository in the folder',
    (editor: FolderEditor) => editor.nested.head('inner'),
  ],
] as const)('a git that is killed at %s says nothing of %s', async (argument, _what, ask) => {
  bench.commit({ 'file.txt': 'one\n' });
  bench.write('inner/file.txt', 'one\n');
  const inner = join(bench.folder, 'inner');
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@b.c'];
  execFileSync('git', ['-C', inner, 'init', '-q']);
  execFileSync('git', ['-C', inner, ...author, 'commit', '-q', '--allow-empty', '-m', 'start']);
  const editor = bench.open().editor(bench.folder);
  const sign = killGitAt(argument);
  await expect(ask(editor)).rejects.toThrow('it was killed');
  rmSync(sign);
  expect(await ask(editor)).toBeDefined();
});

it('what git did not say of the branch of a work tree keeps it', async () => {
  bench.commit({ 'file.txt': 'one\n' });
  const worktrees = gitWorktrees({ directory: join(bench.root, 'worktrees') });
  const place = worktrees.place(bench.folder, 'own');
  if (!place) throw new Error('there is no place for it');
  const plan = await worktrees.plan({ folder: bench.folder, place, suggestedBranch: 'own' });
  await worktrees.make(plan, {});
  killGitAt('refs/heads/own^{commit}');
  await expect(worktrees.unsaved(plan)).rejects.toThrow('it was killed');
});

it.each(['.', 'part'])('a commit that cannot be read is not one without files (%s)', async (folder) => {
  bench.commit({ 'file.txt': 'one\n', 'part/file.txt': 'one\n' });
  const id = bench.git('rev-parse', 'HEAD').trim();
  bench.folder = join(bench.top, folder);
  const workspace = bench.open().open(bench.folder);
  await workspace.checkpoint({ freshness: 'exact' });
  rmSync(join(bench.top, '.git', 'objects', id.slice(0, 2), id.slice(2)));
  await expect(workspace.reference('head', { freshness: 'exact' })).rejects.toThrow('git ls-tree failed');
});

it('a folder that is not in the commit has no files there', async () => {
  bench.commit({ 'file.txt': 'one\n' });
  bench.folder = join(bench.top, 'new');
  bench.write('file.txt', 'two\n');
  expect(existsSync(join(bench.folder, 'file.txt'))).toBe(true);
  const workspace = bench.open().open(bench.folder);
  const reference = await workspace.reference('head', { freshness: 'exact' });
  const changes = await workspace.compare(reference ?? '', await workspace.checkpoint({ freshness: 'exact' }));
  expect(changes).toMatchObject([{ after: { path: 'file.txt' }, added: 1 }]);
});
