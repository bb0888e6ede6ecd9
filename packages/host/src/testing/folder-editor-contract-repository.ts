import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FolderEditor } from '../ports/folder-editor.js';
import type { IndexEntries } from '../ports/user-index.js';
import type { useRepository } from './user-repository.js';

/** The part of the FolderEditor contract about the user's own repository. */
export function describeUserRepository(
  user: ReturnType<typeof useRepository>,
  current: () => FolderEditor,
  refusal: (work: Promise<unknown>) => Promise<string | undefined>,
): void {
  describe("the user's repository", () => {
    const indexed = () => user.git('diff', '--cached', '--name-status', '--no-renames').split('\n').filter(Boolean);

    it('is reported as missing where there is none', async () => {
      const { index, nested, repository } = current();
      expect(await repository.facts()).toEqual({ git: false });
      expect(await nested.head('a')).toBeUndefined();
      expect(await refusal(index.status({ freshness: 'exact' }))).toBe('refused');
      expect(await refusal(index.stage(new Map()))).toBe('refused');
      expect(await refusal(repository.commit('nothing'))).toBe('refused');
    });

    it('has an index whose entries can be set and read', async () => {
      const { index } = current();
      user.commit({ a: 'one\n', gone: 'bye\n' });
      const head = await index.committed(['a', 'gone', 'new']);
      expect(await index.entries(['a', 'gone', 'new'])).toEqual(head);
      expect(head.get('new')).toBeUndefined();
      user.write('a', 'two\n');
      user.write('new', 'new\n');
      user.git('rm', '--quiet', '--cached', 'gone');
      expect([...(await index.status({ freshness: 'exact' })).staged.keys()]).toEqual(['gone']);
      const wanted = await index.fromDisk(['a', 'gone', 'new']);
      expect(indexed(), 'a look changes nothing').toEqual(['D\tgone']);
      await index.stage(new Map([...wanted].filter(([path]) => path !== 'gone')));
      expect(indexed()).toEqual(['M\ta', 'D\tgone', 'A\tnew']);
      expect(await index.entries(['a', 'new'])).toEqual(new Map([...wanted].filter(([path]) => path !== 'gone')));
      await index.stage(head);
      expect(indexed()).toEqual([]);
      const unknown: IndexEntries = new Map([['a', { id: 'f'.repeat(40), mode: '100644' }]]);
      expect(await refusal(index.stage(unknown))).toBe('refused');
      expect(indexed()).toEqual([]);
    });

    it('has an index in which marks and conflicts are kept', async () => {
      const { index } = current();
      user.commit({ a: 'one\n', b: 'one\n', c: 'one\n' });
      user.git('update-index', '--skip-worktree', 'a');
      user.git('update-index', '--assume-unchanged', 'b');
      user.write('dir/new', 'new\n');
      user.git('add', '--intent-to-add', 'dir/new');
      const paths = ['a', 'b', 'c', 'dir/new'];
      const before = await index.entries(paths);
      expect(paths.map((path) => before.get(path)?.marks)).toEqual([
        ['skip-worktree'],
        ['assume-unchanged'],
        undefined,
        ['intent-to-add'],
      ]);
      expect([...(await index.status({ freshness: 'exact' })).staged.keys()]).toEqual([]);
      await index.stage(new Map(paths.map((path) => [path, undefined])));
      await index.stage(before);
      expect(await index.entries(paths)).toEqual(before);
      expect(await index.conflicts()).toEqual({ unresolved: [], marked: [] });
      user.git('checkout', '--quiet', '-b', 'other');
      user.commit({ c: 'theirs\n' });
      user.git('checkout', '--quiet', 'main');
      user.commit({ c: 'ours\n' });
      expect(() => user.git('merge', '--quiet', 'other')).toThrow();
      expect(await index.conflicts()).toEqual({ unresolved: ['c'], marked: [] });
      expect(await refusal(index.entries(['c']))).toBe('refused');
      user.git('add', 'c');
      expect(await index.conflicts()).toEqual({ unresolved: [], marked: ['c'] });
    });

    it('converts contents between its own form and that on disk', async () => {
      const { index, contents } = current();
      user.commit({ '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': 'one\r\ntwo\r\n' });
      const stored = (await index.committed(['a.txt'])).get('a.txt');
      if (!stored) throw new Error('it was committed');
      const onDisk = await index.fromIndex('a.txt', stored);
      expect(Buffer.from((await contents.read(onDisk)) ?? []).toString()).toBe('one\r\ntwo\r\n');
      expect(await index.toIndex('a.txt', Buffer.from('one\r\ntwo\r\n'))).toBe(stored.id);
      const file = { path: 'a.txt', contentId: stored.id, mode: stored.mode };
      expect(await index.asOnDisk([file])).toEqual(new Map([['a.txt', { ...file, contentId: onDisk }]]));
    });

    it('may contain others, which are moved to commits when nothing is lost by it', async () => {
      const { nested } = current();
      user.commit({ 'inner/a': 'one\n' });
      const inner = (...args: string[]) => user.git('-C', user.at('inner'), ...args);
      inner('init', '--quiet');
      for (const message of ['one', 'two']) {
        inner('add', '.');
        inner('commit', '--quiet', '--allow-empty', '-m', message);
      }
      const [one, two] = [inner('rev-parse', 'HEAD~1'), inner('rev-parse', 'HEAD')];
      expect(await nested.head('inner')).toBe(two);
      await nested.move('inner', two, one);
      expect(await nested.head('inner')).toBe(one);
      expect(await refusal(nested.move('inner', two, one)), 'it is elsewhere').toBe('refused');
      user.write('inner/a', 'not committed\n');
      expect(await refusal(nested.move('inner', one, two)), 'it has changes').toBe('refused');
      expect(await nested.head('inner')).toBe(one);
    });

    it('is used as the user would use it', async () => {
      const { repository } = current();
      user.commit({ a: 'one\n' });
      const settings = { 'user.name': 'Ada', 'user.email': 'ada@example.org', 'commit.gpgsign': 'false' };
      for (const [key, value] of Object.entries(settings)) user.git('config', key, value);
      const facts = { git: true, branch: 'main', hasCommit: true, linked: false, dirty: false };
      expect(await repository.facts()).toEqual(facts);
      expect(await refusal(repository.commit('nothing is staged'))).toBe('refused');
      expect([await repository.createBranch('topic'), await repository.createBranch('topic')]).toEqual([
        'topic',
        'topic-2',
      ]);
      user.write('a', 'two\n');
      user.git('add', 'a');
      const { id } = await repository.commit('-m is no option\n\nand this is the rest');
      expect(user.git('log', '-1', '--format=%h %an %s')).toBe(`${id} Ada -m is no option`);
      expect(await repository.mergeBack('main'), 'nobody looks at it: it moves forward').toBe('main');
      expect(user.git('rev-parse', 'main')).toBe(user.git('rev-parse', 'HEAD'));
      expect(await refusal(repository.push()), 'there is no remote').toBe('refused');
      const remote = join(user.base, 'remote');
      user.git('init', '--quiet', '--bare', remote);
      user.git('remote', 'add', 'origin', remote);
      expect(await repository.push()).toEqual({ remote: 'origin', branch: 'topic-2' });
      user.git('commit', '--quiet', '--amend', '-m', 'another');
      expect(await refusal(repository.push()), 'never over what is there').toBe('refused');
      expect(await refusal(repository.createPullRequest('main', 'title', 'body'))).toBe('refused');
    });
  });
}
