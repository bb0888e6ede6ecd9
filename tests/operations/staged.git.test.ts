import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChangesetState, ExtensionMeta } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';

const OLD = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
const at = (line: number, text: string) => (content: string) => content.replace(`line ${line}\n`, `${text}\n`);

let bench: ChangesBench;
let uri: string;
afterEach(() => bench.dispose());

async function start(files: Record<string, string> = { 'a.txt': OLD, 'b.txt': 'b\n' }): Promise<void> {
  bench = await ChangesBench.start({
    prepare: (b) => {
      b.commit(files);
      for (const [key, value] of [
        ['user.name', 'Ada'],
        ['user.email', 'ada@example.org'],
        ['commit.gpgsign', 'false'],
      ])
        b.git('config', key ?? '', value ?? '');
    },
  });
  uri = bench.uri({ kind: 'uncommitted' });
}

const status = () => bench.git('status', '--porcelain').trimEnd().split('\n').filter(Boolean);
const indexed = (path: string) => bench.git('show', `:${path}`);
const entries = () => bench.git('ls-files', '--stage').trim().split('\n');
const fileIn = ({ files }: ChangesetState, path: string) => files.find(({ id }) => id.endsWith(`/${path}`));

/** The notes on a file about the index, once they are these. */
async function expectNotes(path: string, notes: Record<string, unknown> | undefined): Promise<void> {
  const names: string[] = ['staged', 'partlyStaged', 'onlyStaged', 'conflicted'].map(
    (name) => ExtensionMeta[name as ExtensionMeta],
  );
  const notesOn = (state: ChangesetState) => {
    const file = fileIn(state, path);
    const meta = Object.entries(file?._meta ?? {}).filter(([name]) => names.includes(name));
    return file && Object.fromEntries(meta.map(([name, value]) => [name.replace('moorage.', ''), value]));
  };
  const isSo = (state: ChangesetState) => JSON.stringify(notesOn(state)) === JSON.stringify(notes);
  await bench.changeset(uri, isSo);
}

describe('reverting what is staged', () => {
  it('a file: the next commit does not have it', async () => {
    await start();
    bench.write('a.txt', at(3, 'bad')(OLD));
    bench.write('b.txt', 'good\n');
    bench.write('new.txt', 'bad\n');
    await bench.invoke(uri, 'stage');
    const staged = entries();
    await bench.invoke(uri, 'revert', bench.resource('a.txt'));
    await bench.invoke(uri, 'revert', bench.resource('new.txt'));
    expect(status()).toEqual(['M  b.txt']);
    await bench.invoke(uri, 'undo');
    await bench.invoke(uri, 'undo');
    expect(entries()).toEqual(staged);
    expect([bench.read('a.txt'), bench.read('new.txt')]).toEqual([at(3, 'bad')(OLD), 'bad\n']);
    await bench.invoke(uri, 'revert', bench.resource('a.txt'));
    await bench.invoke(uri, 'revert', bench.resource('new.txt'));
    await bench.invoke(uri, 'commit');
    expect(bench.git('show', '--format=', '--name-only').trim()).toBe('b.txt');
    expect(status()).toEqual([]);
  });

  it('lines: the staged ones go, the others stay staged', async () => {
    await start();
    const edited = at(10, 'ten')(at(3, 'bad')(OLD));
    bench.write('a.txt', edited);
    await bench.invoke(uri, 'stage');
    await bench.invoke(uri, 'revert', bench.lines('a.txt', 3, 3));
    expect(bench.read('a.txt')).toBe(at(10, 'ten')(OLD));
    expect(indexed('a.txt')).toBe(at(10, 'ten')(OLD));
    await bench.invoke(uri, 'undo');
    expect(bench.read('a.txt')).toBe(edited);
    expect(indexed('a.txt')).toBe(edited);
  });

  it('everything, with a renamed and a deleted file', async () => {
    await start({ 'a.txt': OLD, 'b.txt': 'b\n', 'c.txt': 'c\n' });
    bench.git('mv', 'a.txt', 'z.txt');
    bench.git('rm', '-q', 'b.txt');
    bench.write('c.txt', 'staged\n');
    bench.git('add', 'c.txt');
    bench.write('c.txt', 'and edited again\n');
    const [staged, tree] = [entries(), bench.tree()];
    await bench.invoke(uri, 'revert');
    expect(status()).toEqual([]);
    await bench.invoke(uri, 'undo');
    expect(entries()).toEqual(staged);
    expect(bench.tree()).toEqual(tree);
  });

  it('of a turn: what the turn wrote is taken out of the index as well, and what the user staged stays', async () => {
    await start();
    bench.write('a.txt', at(15, 'mine')(OLD));
    bench.git('add', 'a.txt');
    const turnId = await bench.turn('/replace a.txt line 3\\n => bad\\n\n/write new.txt bad\\n');
    await bench.invoke(uri, 'stage');
    const staged = entries();
    const turn = bench.turnUri(turnId);
    await bench.invoke(turn, 'revert');
    expect(bench.read('a.txt')).toBe(at(15, 'mine')(OLD));
    expect(indexed('a.txt')).toBe(at(15, 'mine')(OLD));
    expect(status()).toEqual(['M  a.txt']);
    await bench.invoke(turn, 'undo');
    expect(entries()).toEqual(staged);
    expect(bench.has('new.txt')).toBe(true);
  });

  it('leaves a conflict in the index alone', async () => {
    await start();
    bench.git('checkout', '-q', '-b', 'other');
    bench.commit({ 'b.txt': 'theirs\n' });
    bench.git('checkout', '-q', 'main');
    bench.commit({ 'b.txt': 'ours\n' });
    expect(() => bench.git('merge', '-q', 'other')).toThrow();
    const before = entries();
    await expectNotes('b.txt', { conflicted: true });
    await bench.invoke(uri, 'revert', bench.resource('b.txt'));
    expect(entries()).toEqual(before);
    expect(bench.read('b.txt')).toBe('ours\n');
    expect((await bench.refused(uri, 'commit')).message).toContain('b.txt has a conflict');
  });

  it('changes nothing while another git holds the index', async () => {
    await start();
    bench.write('a.txt', at(3, 'bad')(OLD));
    await bench.invoke(uri, 'stage');
    const staged = entries();
    writeFileSync(join(bench.folder, '.git', 'index.lock'), '');
    expect((await bench.refused(uri, 'revert')).message).toContain('another git process');
    bench.remove('.git/index.lock');
    expect(bench.read('a.txt')).toBe(at(3, 'bad')(OLD));
    expect(entries()).toEqual(staged);
  });
});

describe('what is only in the index', () => {
  it.each<[string, (b: ChangesBench) => void, string[], string]>([
    [
      'an edit',
      (b) => {
        b.write('a.txt', at(3, 'bad')(OLD));
        b.git('add', 'a.txt');
        b.write('a.txt', OLD);
      },
      ['MM a.txt'],
      '+1 -1',
    ],
    [
      'a new file',
      (b) => {
        b.write('a2.txt', 'one\ntwo\n');
        b.git('add', 'a2.txt');
        b.remove('a2.txt');
      },
      ['AD a2.txt'],
      '+2 -0',
    ],
    ['a deletion', (b) => b.git('rm', '-q', '--cached', 'b.txt'), ['D  b.txt', '?? b.txt'], '+0 -1'],
  ])('%s: is shown, unstaged, reverted and committed', async (_what, edit, expected, counts) => {
    await start();
    edit(bench);
    expect(status()).toEqual(expected);
    const path = expected[0]?.slice(3) ?? '';
    await expectNotes(path, { staged: true, onlyStaged: true });
    const file = fileIn(await bench.changeset(uri), path);
    expect(`+${file?.edit.diff?.added} -${file?.edit.diff?.removed}`).toBe(counts);
    const [staged, tree] = [entries(), bench.tree()];
    for (const operation of ['unstage', 'revert']) {
      for (const target of [undefined, bench.resource(path)]) {
        await bench.invoke(uri, operation, target);
        expect(status(), operation).toEqual([]);
        await bench.invoke(uri, 'undo');
        expect(entries()).toEqual(staged);
        expect(bench.tree()).toEqual(tree);
      }
    }
    await bench.invoke(uri, 'commit');
    expect(bench.git('diff', '--name-only', 'HEAD~1', 'HEAD').trim()).toBe(path);
  });

  it('its lines can be unstaged one by one', async () => {
    await start();
    bench.write('a.txt', at(10, 'ten')(at(3, 'bad')(OLD)));
    bench.git('add', 'a.txt');
    bench.write('a.txt', OLD);
    await bench.invoke(uri, 'unstage', bench.lines('a.txt', 3, 3));
    expect(indexed('a.txt')).toBe(at(10, 'ten')(OLD));
    expect(bench.read('a.txt')).toBe(OLD);
  });
});

it('each file says how much of it is staged', async () => {
  await start({ 'a.txt': OLD, 'b.txt': 'b\n', 'c.txt': 'c\n' });
  for (const path of ['a.txt', 'b.txt']) bench.write(path, 'staged\n');
  bench.git('add', '.');
  bench.write('a.txt', 'more\n');
  bench.write('c.txt', 'not staged\n');
  await expectNotes('a.txt', { staged: true, partlyStaged: true });
  await expectNotes('b.txt', { staged: true });
  await expectNotes('c.txt', {});
});

it('a file that is partly staged says which of its hunks are', async () => {
  await start();
  const edited = at(10, 'ten')(at(3, 'three')(OLD));
  bench.write('a.txt', edited);
  await bench.invoke(uri, 'stage', bench.lines('a.txt', 10, 10));
  await expectNotes('a.txt', { staged: true, partlyStaged: true });
  const file = fileIn(await bench.changeset(uri), 'a.txt');
  expect(file?._meta?.[ExtensionMeta.stagedHunks]).toEqual([
    { before: { start: 10, count: 1 }, after: { start: 10, count: 1 } },
  ]);
});

describe('a hunk that was staged and then edited again', () => {
  const begin = async () => {
    await start();
    bench.write('a.txt', at(10, 'staged')(at(3, 'three')(OLD)));
    bench.git('add', 'a.txt');
    bench.write('a.txt', at(17, 'new')(at(10, 'edited\nagain')(at(3, 'three')(OLD))));
  };

  it('is staged as it is now, and nothing else is', async () => {
    await begin();
    await bench.invoke(uri, 'stage', bench.lines('a.txt', 10, 10));
    expect(indexed('a.txt')).toBe(at(10, 'edited\nagain')(at(3, 'three')(OLD)));
    await bench.invoke(uri, 'undo');
    expect(indexed('a.txt')).toBe(at(10, 'staged')(at(3, 'three')(OLD)));
  });

  it('is unstaged, and nothing else is', async () => {
    await begin();
    await bench.invoke(uri, 'unstage', bench.lines('a.txt', 11, 11));
    expect(indexed('a.txt')).toBe(at(3, 'three')(OLD));
    await bench.invoke(uri, 'undo');
    expect(indexed('a.txt')).toBe(at(10, 'staged')(at(3, 'three')(OLD)));
  });

  it('is reverted in both', async () => {
    await begin();
    await bench.invoke(uri, 'revert', bench.lines('a.txt', 10, 10));
    expect(indexed('a.txt')).toBe(at(3, 'three')(OLD));
    expect(bench.read('a.txt')).toBe(at(17, 'new')(at(3, 'three')(OLD)));
  });
});

describe("after the user's own commit", () => {
  it('undoing a stage stages nothing of it', async () => {
    await start();
    bench.write('a.txt', at(3, 'three')(OLD));
    bench.write('b.txt', 'mine\n');
    await bench.invoke(uri, 'stage', bench.resource('a.txt'));
    bench.git('commit', '-q', '-m', 'mine');
    expect((await bench.refused(uri, 'undo')).message).toContain('committed');
    expect(status()).toEqual([' M b.txt']);
  });

  it('undoing a revert brings back the file, and stages nothing of it', async () => {
    await start();
    bench.write('a.txt', at(3, 'three')(OLD));
    bench.write('b.txt', 'staged\n');
    await bench.invoke(uri, 'stage');
    await bench.invoke(uri, 'revert', bench.resource('a.txt'));
    bench.git('commit', '-q', '-m', 'mine');
    await bench.invoke(uri, 'undo');
    expect(bench.read('a.txt')).toBe(at(3, 'three')(OLD));
    expect(bench.git('show', 'HEAD:b.txt')).toBe('staged\n');
  });
});

it('a file that is only intended to be added stays so through every operation', async () => {
  await start();
  bench.write('new.txt', 'new\n');
  bench.git('add', '--intent-to-add', 'new.txt');
  bench.write('b.txt', 'two\n');
  const before = bench.git('ls-files', '--debug', 'new.txt').split('\n').at(-2);
  expect(status()).toEqual([' M b.txt', ' A new.txt']);
  for (const operation of ['stage', 'revert'] as const) {
    for (const target of [undefined, bench.resource('new.txt'), bench.resource('b.txt')]) {
      await bench.invoke(uri, operation, target);
      await bench.invoke(uri, 'undo');
      expect(status(), operation).toEqual([' M b.txt', ' A new.txt']);
    }
  }
  await bench.invoke(uri, 'stage', bench.resource('b.txt'));
  await bench.invoke(uri, 'commit');
  expect(status()).toEqual([' A new.txt']);
  expect(
    bench
      .git('ls-files', '--debug', 'new.txt')
      .split('\n')
      .at(-2)
      ?.replace(/.*flags/, ''),
  ).toBe(before?.replace(/.*flags/, ''));
});

it('works before the first commit', async () => {
  bench = await ChangesBench.start({ prepare: (b) => b.git('init', '-q', '-b', 'main') });
  uri = bench.uri({ kind: 'uncommitted' });
  mkdirSync(join(bench.folder, 'sub'));
  bench.write('sub/a.txt', 'one\n');
  bench.write('b.txt', 'two\n');
  await bench.invoke(uri, 'stage');
  await bench.invoke(uri, 'revert', bench.resource('sub/a.txt'));
  expect(status()).toEqual(['A  b.txt']);
  await bench.invoke(uri, 'undo');
  expect(status()).toEqual(['A  b.txt', 'A  sub/a.txt']);
  execFileSync('rm', [join(bench.folder, 'b.txt')]);
  await expectNotes('b.txt', { staged: true, onlyStaged: true });
});
