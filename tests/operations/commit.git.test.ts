import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { commitAll, gitOutput } from '../support/repository.js';

const OLD = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
const NEW = OLD.replace('line 2\n', 'two\n').replace('line 10\n', 'ten\n').replace('line 17\n', 'seventeen\n');

describe('stage and unstage', () => {
  let bench: ChangesBench;
  let uri: string;
  beforeAll(async () => {
    bench = await ChangesBench.start({
      prepare: (b) => {
        b.commit({ 'a.txt': OLD, 'gone.txt': 'bye\n', 'moved.txt': OLD.toUpperCase(), 'lf.txt': 'one\n' });
      },
    });
    uri = bench.uri({ kind: 'uncommitted' });
  });
  afterAll(() => bench.dispose());
  afterEach(() => {
    bench.git('reset', '-q', '--hard');
    bench.git('clean', '-qfd');
  });

  const staged = () =>
    bench.git('diff', '--cached', '--name-status', '--no-renames').trim().split('\n').filter(Boolean);
  const indexed = (path: string) => bench.git('show', `:${path}`);

  it('the changeset: created, edited, deleted and renamed, and back', async () => {
    bench.write('a.txt', NEW);
    bench.write('new/file.txt', 'new\n');
    bench.remove('gone.txt');
    bench.git('mv', 'moved.txt', 'elsewhere.txt');
    bench.git('reset', '-q');
    const before = bench.tree();
    expect((await bench.invoke(uri, 'stage')).message).toBe('Staged 4 files.');
    const all = ['M\ta.txt', 'A\telsewhere.txt', 'D\tgone.txt', 'D\tmoved.txt', 'A\tnew/file.txt'];
    expect(staged()).toEqual(all);
    await bench.invoke(uri, 'undo');
    expect(staged()).toEqual([]);
    bench.git('add', '--all');
    await bench.invoke(uri, 'unstage');
    expect(staged()).toEqual([]);
    await bench.invoke(uri, 'undo');
    expect(staged()).toEqual(all);
    expect(bench.tree()).toEqual(before);
  });

  it('a file, which says that it is staged', async () => {
    bench.write('a.txt', NEW);
    bench.write('new.txt', 'new\n');
    await bench.invoke(uri, 'stage', bench.resource('a.txt'));
    expect(staged()).toEqual(['M\ta.txt']);
    const isStaged = (state: { files: { id: string; _meta?: Record<string, unknown> | undefined }[] }, name: string) =>
      state.files.find(({ id }) => id.endsWith(name))?._meta?.['moorage.staged'] === true;
    await bench.changeset(uri, (state) => isStaged(state, '/a.txt') && !isStaged(state, '/new.txt'));
    await bench.operation(uri, 'unstage', 'idle');
    await bench.invoke(uri, 'unstage', bench.resource('a.txt'));
    expect(staged()).toEqual([]);
    expect((await bench.refused(uri, 'unstage')).code).toBe(-32600);
    bench.git('add', 'new.txt');
    await bench.operation(uri, 'unstage', 'idle');
    bench.git('reset', '-q');
    expect((await bench.operation(uri, 'unstage', 'disabled')).description).toBe('Nothing is staged.');
  });

  it('a range: exactly its hunks, beside others that are staged already', async () => {
    bench.write('a.txt', NEW);
    await bench.invoke(uri, 'stage', bench.lines('a.txt', 10, 10));
    expect(indexed('a.txt')).toBe(OLD.replace('line 10\n', 'ten\n'));
    await bench.invoke(uri, 'stage', bench.lines('a.txt', 17, 17, 'before'));
    expect(indexed('a.txt')).toBe(NEW.replace('two\n', 'line 2\n'));
    await bench.invoke(uri, 'unstage', bench.lines('a.txt', 10, 10));
    expect(indexed('a.txt')).toBe(OLD.replace('line 17\n', 'seventeen\n'));
    await bench.invoke(uri, 'undo');
    expect(indexed('a.txt')).toBe(NEW.replace('two\n', 'line 2\n'));
    expect(bench.read('a.txt')).toBe(NEW);
  });

  it('a range of a new file is the file', async () => {
    bench.write('new.txt', 'one\ntwo\n');
    await bench.invoke(uri, 'stage', bench.lines('new.txt', 0, 0));
    expect(indexed('new.txt')).toBe('one\ntwo\n');
    await bench.invoke(uri, 'unstage', bench.lines('new.txt', 1, 1));
    expect(staged()).toEqual([]);
  });

  it('what was staged and is replaced can be had back', async () => {
    bench.write('a.txt', 'only in the index\n');
    bench.git('add', 'a.txt');
    bench.write('a.txt', NEW);
    await bench.invoke(uri, 'unstage', bench.resource('a.txt'));
    bench.git('gc', '-q', '--prune=now');
    await bench.invoke(uri, 'undo');
    expect(indexed('a.txt')).toBe('only in the index\n');
  });

  it('keeps files in the form that the repository wants', async () => {
    bench.git('config', 'core.autocrlf', 'true');
    bench.write('lf.txt', 'one\r\ntwo\r\n');
    await bench.invoke(uri, 'stage', bench.resource('lf.txt'));
    expect(indexed('lf.txt')).toBe('one\ntwo\n');
    await bench.invoke(uri, 'revert', bench.resource('lf.txt'));
    expect(bench.read('lf.txt')).toBe('one\r\n');
    await bench.invoke(uri, 'undo');
    expect(bench.read('lf.txt')).toBe('one\r\ntwo\r\n');
    bench.git('config', '--unset', 'core.autocrlf');
  });

  it('says when another git process is at work', async () => {
    bench.write('a.txt', NEW);
    writeFileSync(join(bench.folder, '.git', 'index.lock'), '');
    const error = await bench.refused(uri, 'stage');
    expect(error.message).toContain('another git process');
    bench.remove('.git/index.lock');
    await bench.invoke(uri, 'stage');
    expect(staged()).toEqual(['M\ta.txt']);
  });
});

describe('commit', () => {
  let bench: ChangesBench;
  afterEach(() => bench.dispose());

  async function start(): Promise<string> {
    bench = await ChangesBench.start({
      prepare: (b) => {
        b.commit({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
        b.git('config', 'user.name', 'Ada');
        b.git('config', 'user.email', 'ada@example.org');
        b.git('config', 'commit.gpgsign', 'false');
      },
    });
    return bench.uri({ kind: 'uncommitted' });
  }

  const hook = (name: string, script: string) => {
    mkdirSync(join(bench.folder, '.git', 'hooks'), { recursive: true });
    writeFileSync(join(bench.folder, '.git', 'hooks', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bench.folder, '.git', 'hooks', name), 0o755);
  };

  it('takes everything if asked to, with a message from the session, as the user', async () => {
    const uri = await start();
    await bench.turn('Say hello\n/write c.txt hello\\n');
    bench.write('a.txt', 'two\n');
    hook('commit-msg', 'echo "Hooked: yes" >> "$1"');
    const { message } = await bench.invoke(uri, 'commit', undefined, { 'moorage.what': 'all' });
    const log = bench.git('log', '-1', '--format=%an <%ae>%n%B', '--name-only');
    expect(log).toContain('Ada <ada@example.org>');
    expect(log).toContain('Hooked: yes');
    expect(log).toMatch(/- .*auto on/);
    expect(log).toContain('c.txt');
    expect(message).toMatch(/^Committed 2 files as [0-9a-f]{7,}: /);
    expect(bench.git('status', '--porcelain')).toBe('');
    await bench.changeset(uri, ({ files }) => files.length === 0);
    await bench.operation(uri, 'commit', 'disabled');
  });

  it('asks first, and says what it would take', async () => {
    const uri = await start();
    bench.write('a.txt', 'two\n');
    const everything = await bench.operation(uri, 'commit', 'idle');
    expect(everything.confirmation).toBe('Nothing is staged. Commit what this session changed?');
    bench.write('b.txt', 'c\n');
    await bench.invoke(uri, 'stage');
    const isAboutStaged = ({ operations }: { operations?: { id: string; confirmation?: unknown }[] | undefined }) =>
      operations?.some(({ id, confirmation }) => id === 'commit' && confirmation === 'Commit what is staged: 2 files?');
    await bench.changeset(uri, (state) => isAboutStaged(state) === true);
  });

  it('takes the message of whoever was asked, and nothing that they were not shown', async () => {
    const uri = await start();
    bench.write('a.txt', 'two\n');
    bench.write('b.txt', 'c\n');
    const message = 'Say two\n\n# not a comment\nbecause one was wrong\n';
    const shown = { 'moorage.message': message, 'moorage.files': [bench.fileUri('a.txt')] };
    const result = await bench.invoke(uri, 'commit', undefined, shown);
    expect(result.message).toMatch(/^Committed 1 file as [0-9a-f]{7,}: Say two$/);
    expect(bench.git('log', '-1', '--format=%B').trim()).toBe(message.trim());
    expect(bench.git('show', '--format=', '--name-only').trim()).toBe('a.txt');
    await bench.invoke(uri, 'stage');
    expect((await bench.refused(uri, 'commit', undefined, shown)).message).toContain('b.txt is staged as well');
    const both = { 'moorage.message': message, 'moorage.files': [bench.fileUri('a.txt'), bench.fileUri('b.txt')] };
    bench.write('a.txt', 'not staged\n');
    expect((await bench.refused(uri, 'commit', undefined, both)).message).toContain('a.txt is not staged');
    for (const wrong of [
      { 'moorage.message': 1 },
      { 'moorage.message': ' \n' },
      { 'moorage.message': 'm', 'moorage.files': 'a.txt' },
      { 'moorage.what': 'everything' },
    ])
      expect((await bench.refused(uri, 'commit', undefined, wrong)).code).toBe(-32602);
    expect(bench.git('status', '--porcelain').trimEnd().split('\n')).toEqual([' M a.txt', 'M  b.txt']);
  });

  it('from a folder of the repository takes nothing that is staged elsewhere', async () => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-commit-')));
    const inTop = (...args: string[]) => gitOutput(top, ...args);
    const folder = join(top, 'packages', 'app');
    mkdirSync(folder, { recursive: true });
    for (const name of ['moved.txt', 'kept.txt', 'packages/app/a.txt']) writeFileSync(join(top, name), 'one\n');
    commitAll(top);
    for (const [key, value] of [
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.org'],
    ])
      inTop('config', key ?? '', value ?? '');
    bench = await ChangesBench.start({ workspace: folder });
    const uri = bench.uri({ kind: 'uncommitted' });
    inTop('mv', 'moved.txt', 'elsewhere.txt');
    writeFileSync(join(top, 'kept.txt'), 'staged\n');
    inTop('add', 'kept.txt');
    const elsewhere = inTop('diff', '--cached', '--name-status');
    writeFileSync(join(folder, 'a.txt'), 'two\n');
    await bench.invoke(uri, 'commit', undefined, { 'moorage.what': 'all' });
    expect(inTop('show', '--format=', '--name-only')).toBe('packages/app/a.txt\n');
    expect(inTop('diff', '--cached', '--name-status')).toBe(elsewhere);
    writeFileSync(join(folder, 'a.txt'), 'three\n');
    await bench.invoke(uri, 'stage');
    await bench.invoke(uri, 'commit');
    expect(inTop('show', '--format=', '--name-only')).toBe('packages/app/a.txt\n');
    expect(inTop('diff', '--cached', '--name-status')).toBe(elsewhere);
    inTop('commit', '-q', '-m', 'elsewhere');
    inTop('checkout', '-q', '-b', 'other', 'HEAD~1');
    writeFileSync(join(top, 'other.txt'), 'other\n');
    inTop('add', 'other.txt');
    inTop('commit', '-q', '-m', 'other');
    inTop('checkout', '-q', '-f', 'main');
    inTop('merge', '-q', '--no-commit', '--no-ff', 'other');
    writeFileSync(join(folder, 'a.txt'), 'in a merge\n');
    expect((await bench.refused(uri, 'commit', undefined, { 'moorage.what': 'all' })).message).toMatch(
      /merge.*other\.txt/,
    );
    rmSync(top, { recursive: true, force: true });
  });

  it('takes only what is staged', async () => {
    const uri = await start();
    bench.write('a.txt', 'two\n');
    bench.write('b.txt', 'c\n');
    await bench.invoke(uri, 'stage', bench.resource('a.txt'));
    await bench.invoke(uri, 'commit');
    expect(bench.git('show', '--format=', '--name-only').trim()).toBe('a.txt');
    expect(bench.git('status', '--porcelain').trim()).toBe('M b.txt');
    const head = bench.git('rev-parse', 'HEAD~');
    await bench.invoke(uri, 'undo');
    expect(bench.git('rev-parse', 'HEAD')).toBe(head);
    expect(bench.git('status', '--porcelain').trimEnd().split('\n')).toEqual(['M  a.txt', ' M b.txt']);
  });

  it.each<[string, (b: ChangesBench) => void, RegExp]>([
    ['a hook that refuses', () => hook('pre-commit', 'echo "not like this" >&2; exit 1'), /not like this/],
    [
      'no identity',
      (b) => {
        b.git('config', 'user.name', '');
      },
      /user\.name and user\.email/,
    ],
    [
      'a signing key that is not there',
      (b) => {
        b.git('config', 'commit.gpgsign', 'true');
        b.git('config', 'gpg.program', 'false');
      },
      /could not be signed/,
    ],
  ])('%s is said, and nothing is committed or staged', async (_what, prepare, message) => {
    const uri = await start();
    bench.write('a.txt', 'two\n');
    prepare(bench);
    const head = bench.git('rev-parse', 'HEAD');
    const error = await bench.refused(uri, 'commit', undefined, { 'moorage.what': 'all' });
    expect([error.code, error.message]).toEqual([-32603, expect.stringMatching(message)]);
    expect(bench.git('rev-parse', 'HEAD')).toBe(head);
    expect(bench.git('diff', '--cached', '--name-only')).toBe('');
    expect(bench.read('a.txt')).toBe('two\n');
  });

  it('takes what the session changed, and nothing of the user, in the same files or others', async () => {
    const uri = await start();
    const text = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
    bench.write('a.txt', text);
    commitAll(bench.folder);
    bench.write('a.txt', text.replace('line 2\n', 'mine\n'));
    bench.write('b.txt', 'mine\n');
    await bench.turn('/replace a.txt line 17 => seventeen\n/write c.txt agent\\n');
    const { message } = await bench.invoke(uri, 'commit', undefined, { 'moorage.message': 'Its own' });
    expect(message).toContain('Committed 2 files');
    expect(bench.git('show', '--format=', '--name-only').trim().split('\n')).toEqual(['a.txt', 'c.txt']);
    expect(bench.git('show', 'HEAD:a.txt')).toBe(text.replace('line 17', 'seventeen'));
    expect(bench.git('status', '--porcelain').trimEnd().split('\n')).toEqual([' M a.txt', ' M b.txt']);
    expect((await bench.refused(uri, 'commit')).message).toContain('changed nothing that is not committed');
  });

  it('takes what is marked as reviewed, by file and by hunk, and leaves what else is staged', async () => {
    const uri = await start();
    const text = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
    bench.write('a.txt', text);
    commitAll(bench.folder);
    bench.write('a.txt', text.replace('line 2\n', 'two\n').replace('line 17\n', 'seventeen\n'));
    bench.write('b.txt', 'staged\n');
    bench.write('c.txt', 'reviewed\n');
    bench.git('add', 'b.txt');
    const reviewed = { 'moorage.what': 'reviewed', 'moorage.message': 'Reviewed' };
    expect((await bench.refused(uri, 'commit', undefined, reviewed)).message).toContain('Nothing is marked');
    await bench.invoke(uri, 'keep', bench.lines('a.txt', 17, 17));
    await bench.invoke(uri, 'keep', bench.resource('c.txt'));
    await bench.invoke(uri, 'commit', undefined, reviewed);
    expect(bench.git('show', '--format=', '--name-only').trim().split('\n')).toEqual(['a.txt', 'c.txt']);
    expect(bench.git('show', 'HEAD:a.txt')).toBe(text.replace('line 17', 'seventeen'));
    expect(bench.git('status', '--porcelain').trimEnd().split('\n')).toEqual([' M a.txt', 'M  b.txt']);
  });

  it('can be undone and redone: branch and index as before, files untouched', async () => {
    const uri = await start();
    await bench.turn('/write c.txt agent\\n');
    bench.write('b.txt', 'mine\n');
    bench.git('add', 'b.txt');
    const before = [bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain'), bench.tree()];
    const now = () => [bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain'), bench.tree()];
    await bench.invoke(uri, 'commit', undefined, { 'moorage.what': 'session', 'moorage.message': 'Agent' });
    const committed = now();
    expect(bench.git('show', '--format=%s', '--name-only').trim()).toBe('Agent\n\nc.txt');
    const { folder } = { folder: bench.host.workspaceUri };
    const params = { channel: 'ahp-root://', folder } as const;
    const { items } = await bench.client.request('moorage/listHistory', params);
    expect(items[0]).toMatchObject({ operation: 'commit', fileCount: 1, undone: 'none' });
    expect(items[0]?.label).toMatch(/^the commit [0-9a-f]{7,}$/);
    await bench.comeBack();
    await bench.client.request('moorage/undoHistoryStep', params);
    expect(now()).toEqual(before);
    await bench.client.request('moorage/redoHistoryStep', params);
    expect(now()).toEqual(committed);
    await bench.client.request('moorage/undoHistoryStep', params);
    expect(now()).toEqual(before);
  });

  it.each<[string, () => void, RegExp]>([
    ['pushed', () => bench.git('update-ref', 'refs/remotes/origin/main', 'HEAD'), /pushed \(origin\/main/],
    ['followed by another', () => bench.git('commit', '-q', '--allow-empty', '-m', 'next'), /moved on/],
    ['on another branch', () => bench.git('checkout', '-q', '-b', 'other'), /other is checked out/],
  ])('cannot be undone once it is %s, and says so', async (_what, prepare, why) => {
    const uri = await start();
    bench.write('a.txt', 'two\n');
    await bench.invoke(uri, 'commit', undefined, { 'moorage.what': 'all', 'moorage.message': 'All' });
    prepare();
    const head = bench.git('rev-parse', 'HEAD');
    expect((await bench.refused(uri, 'undo')).message).toMatch(why);
    expect([bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain')]).toEqual([head, '']);
  });

  it('is the first commit of a repository that has none', async () => {
    bench = await ChangesBench.start({
      prepare: (b) => {
        b.git('init', '-q', '-b', 'main');
        b.git('config', 'user.name', 'Ada');
        b.git('config', 'user.email', 'ada@example.org');
      },
    });
    bench.write('a.txt', 'one\n');
    await bench.invoke(bench.uri({ kind: 'uncommitted' }), 'stage');
    await bench.invoke(bench.uri({ kind: 'uncommitted' }), 'unstage');
    await bench.invoke(bench.uri({ kind: 'uncommitted' }), 'commit', undefined, { 'moorage.what': 'all' });
    expect(bench.git('ls-tree', '-r', '--name-only', 'HEAD').trim()).toBe('a.txt');
    await bench.invoke(bench.uri({ kind: 'uncommitted' }), 'undo');
    expect(bench.git('status', '--porcelain').trim()).toBe('?? a.txt');
    expect(bench.git('rev-list', '--all').trim()).toBe('');
  });
});
