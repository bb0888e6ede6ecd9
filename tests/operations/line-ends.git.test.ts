import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExtensionMeta } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { run } from '../support/run-from-small-process.js';

const LINES = Array.from({ length: 12 }, (_, line) => `line ${line}`);
const text = (end: string, lines: readonly string[] = LINES) => lines.map((line) => line + end).join('');
const edited = (lines: readonly string[] = LINES) =>
  lines.map((line) => (line === 'line 2' ? 'two' : line === 'line 8' ? 'eight' : line));

let bench: ChangesBench;
let uri: string;
let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-line-ends-')));
});
afterEach(async () => {
  await bench.dispose();
  rmSync(place, { recursive: true, force: true });
});

interface Setting {
  readonly config?: Readonly<Record<string, string>>;
  readonly attributes?: string;
  /** As it is committed, byte for byte. */
  readonly committed: string | Buffer;
  /** As it is then on disk, if that is not what git checks out. */
  readonly onDisk?: string | Buffer;
  readonly edit: (content: Buffer) => string | Buffer;
}

const replaceLines = (content: Buffer) =>
  content.toString('latin1').replace('line 2', 'two').replace('line 8', 'eight');
const utf16 = (content: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(content, 'utf16le')]);

const SETTINGS: [string, Setting][] = [
  ['autocrlf=true', { config: { 'core.autocrlf': 'true' }, committed: text('\n'), edit: replaceLines }],
  [
    'autocrlf=true, a file with LF',
    { config: { 'core.autocrlf': 'true' }, committed: text('\n'), onDisk: text('\n'), edit: replaceLines },
  ],
  [
    'autocrlf=true, a file that is committed with CRLF',
    { config: { 'core.autocrlf': 'true' }, committed: text('\r\n'), edit: replaceLines },
  ],
  [
    'autocrlf=input, a file with CRLF',
    { config: { 'core.autocrlf': 'input' }, committed: text('\n'), onDisk: text('\r\n'), edit: replaceLines },
  ],
  [
    'autocrlf=true, a file with lone CRs is not text',
    { config: { 'core.autocrlf': 'true' }, committed: `a\rb\n${text('\n')}`, edit: replaceLines },
  ],
  ['text eol=crlf', { attributes: '*.txt text eol=crlf\n', committed: text('\n'), edit: replaceLines }],
  [
    'text=auto with core.eol=crlf',
    { config: { 'core.eol': 'crlf' }, attributes: '* text=auto\n', committed: text('\n'), edit: replaceLines },
  ],
  [
    'text eol=lf, a file with CRLF and a lone CR',
    {
      attributes: '*.txt text eol=lf\n',
      committed: text('\n').replace('line 5', 'line\r5'),
      onDisk: text('\r\n').replace('line 5', 'line\r5'),
      edit: replaceLines,
    },
  ],
  [
    '-text keeps CRLF under autocrlf',
    {
      config: { 'core.autocrlf': 'true' },
      attributes: '*.txt -text\n',
      committed: text('\r\n'),
      edit: replaceLines,
    },
  ],
  [
    'crlf, the old name of text',
    {
      config: { 'core.autocrlf': 'true' },
      attributes: '*.txt crlf=input\n',
      committed: text('\n'),
      edit: replaceLines,
    },
  ],
  ['ident', { attributes: '*.txt ident\n', committed: `$Id$\n${text('\n')}`, edit: replaceLines }],
  [
    'working-tree-encoding',
    {
      attributes: '*.txt text working-tree-encoding=UTF-16LE-BOM eol=lf\n',
      committed: text('\n'),
      onDisk: utf16(text('\n')),
      edit: () => utf16(text('\n', edited())),
    },
  ],
];

async function start({ config = {}, attributes, committed, onDisk, edit }: Setting): Promise<void> {
  bench = await ChangesBench.start({
    prepare: (b) => {
      b.git('init', '-q', '-b', 'main');
      if (attributes !== undefined) b.write('.gitattributes', attributes);
      b.write('clean.txt', committed);
      b.write('a.txt', committed);
      // Byte for byte, whatever the attributes say.
      const id = b.git('hash-object', '-w', '--no-filters', 'a.txt').trim();
      b.git('add', '.');
      b.git('update-index', '--cacheinfo', `100644,${id},a.txt`, '--cacheinfo', `100644,${id},clean.txt`);
      b.git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'start');
      for (const [key, value] of Object.entries(config)) b.git('config', key, value);
      for (const path of ['a.txt', 'clean.txt']) {
        b.remove(path);
        b.git('checkout', '-q', '--', path);
        if (onDisk !== undefined) b.write(path, onDisk);
      }
      b.git('status'); // git notes what it has found out about the files
    },
  });
  uri = bench.uri({ kind: 'uncommitted' });
  bench.write('a.txt', edit(readFileSync(join(bench.folder, 'a.txt'))));
}

const bytes = (path: string) => readFileSync(join(bench.folder, path)).toString('latin1');
const stagedBytes = () => bench.git('show', ':a.txt');

/** What git itself does in a copy of the folder. */
function byGit(args: readonly string[], input?: string): { disk: string; staged: string } {
  const copy = join(place, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(bench.folder, copy, { recursive: true });
  run('git', args, { cwd: copy, ...(input !== undefined && { input }) });
  return {
    disk: readFileSync(join(copy, 'a.txt')).toString('latin1'),
    staged: run('git', ['show', ':a.txt'], { cwd: copy }).toString(),
  };
}

/** The first of the two hunks, as a patch. */
function firstHunk(...args: string[]): string {
  const [head = '', first = ''] = bench.git('diff', '-U0', '--no-ext-diff', ...args, '--', 'a.txt').split(/^(?=@@ )/m);
  return head + first;
}

describe.each(SETTINGS)('%s', (_name, setting) => {
  it('is shown as git sees it, and every operation leaves the bytes that git would leave', async () => {
    await start(setting);
    const numstat = bench.git('diff', '--numstat', 'HEAD').trim().split('\n').filter(Boolean);
    expect(numstat).toEqual(['2\t2\ta.txt']);
    const { files } = await bench.changeset(uri);
    const shown = files.map(({ id, edit }) => `${edit.diff?.added}\t${edit.diff?.removed}\t${id.split('/').at(-1)}`);
    expect(shown).toEqual(numstat);
    const branch = await bench.changeset(bench.uri({ kind: 'branch' }));
    expect(branch.files.map(({ edit }) => edit.diff)).toEqual([{ added: 2, removed: 2 }]);

    const before = bytes('a.txt');
    const [line] = [setting.committed.toString().startsWith('line 0') ? 2 : 3];
    const isMixed = setting.onDisk !== undefined && byGit(['checkout', '--', 'a.txt']).disk !== bytes('clean.txt');
    const reverted = byGit(['apply', '-R', '--unidiff-zero', '--whitespace=nowarn', '-'], firstHunk('HEAD')).disk;
    await bench.invoke(uri, 'revert', bench.lines('a.txt', line, line));
    // Where the file does not have the line ends that git would write, git writes all of them anew; the host does not.
    if (!isMixed) expect(bytes('a.txt')).toBe(reverted);
    expect(bench.git('diff', '--numstat', 'HEAD').trim()).toBe('1\t1\ta.txt');
    await bench.invoke(uri, 'undo');
    expect(bytes('a.txt')).toBe(before);

    const whole = byGit(['checkout', 'HEAD', '--', 'a.txt']).disk;
    await bench.invoke(uri, 'revert', bench.resource('a.txt'));
    expect(bytes('a.txt')).toBe(whole);
    await bench.invoke(uri, 'undo');
    expect(bytes('a.txt')).toBe(before);

    const part = byGit(['apply', '--cached', '--unidiff-zero', '--whitespace=nowarn', '-'], firstHunk()).staged;
    await bench.invoke(uri, 'stage', bench.lines('a.txt', line, line));
    expect(stagedBytes()).toBe(part);
    await bench.invoke(uri, 'undo');
    const all = byGit(['add', 'a.txt']).staged;
    await bench.invoke(uri, 'stage', bench.resource('a.txt'));
    expect(stagedBytes()).toBe(all);
    const isWhole = (meta: Record<string, unknown> | undefined) =>
      meta?.[ExtensionMeta.staged] === true && meta[ExtensionMeta.partlyStaged] === undefined;
    await bench.changeset(uri, (state) => isWhole(state.files[0]?._meta));
    await bench.invoke(uri, 'unstage', bench.lines('a.txt', line, line));
    expect(bench.git('diff', '--cached', '--numstat').trim()).toBe('1\t1\ta.txt');
    await bench.invoke(uri, 'undo');
    expect(stagedBytes()).toBe(all);
    expect(bytes('a.txt')).toBe(before);
  });
});

it('attributes that change are followed', async () => {
  await start({ committed: text('\n'), onDisk: text('\n'), edit: () => text('\r\n', edited()) });
  await bench.changeset(uri, ({ files }) => files[0]?.edit.diff?.added === 12);
  bench.write('.gitattributes', '*.txt text\n');
  await bench.changeset(uri, ({ files }) => files.find(({ id }) => id.endsWith('/a.txt'))?.edit.diff?.added === 2);
  bench.remove('.gitattributes');
  bench.git('config', 'core.autocrlf', 'input');
  await bench.changeset(uri, ({ files }) => files.length === 1 && files[0]?.edit.diff?.added === 2);
  bench.write('a.txt', text('\r\n'));
  await bench.changeset(uri, ({ files }) => files.length === 0);
});

describe('a filter', () => {
  /** Stores text in upper case; on disk it is in lower case. */
  function makeFilter(): { clean: string; smudge: string } {
    const program = (name: string, from: string, to: string) => {
      const path = join(place, name);
      writeFileSync(path, `#!/bin/sh\necho ran >> "${join(place, 'ran')}"\ntr '${from}' '${to}'\n`);
      chmodSync(path, 0o755);
      return path;
    };
    return { clean: program('clean', 'a-z', 'A-Z'), smudge: program('smudge', 'A-Z', 'a-z') };
  }

  async function startFiltered(scope: 'own' | 'global'): Promise<void> {
    const { clean, smudge } = makeFilter();
    const home = join(place, 'home');
    mkdirSync(home);
    const config = join(home, '.gitconfig');
    const set = (key: string, value: string) => run('git', ['config', '--file', config, key, value]);
    set('user.name', 'Ada');
    set('user.email', 'ada@example.org');
    if (scope === 'global') {
      set('filter.case.clean', clean);
      set('filter.case.smudge', smudge);
    }
    process.env.HOME = home;
    bench = await ChangesBench.start({
      prepare: (b) => {
        b.git('init', '-q', '-b', 'main');
        b.git('config', 'filter.case.clean', clean);
        b.git('config', 'filter.case.smudge', smudge);
        b.write('.gitattributes', '*.txt filter=case\n');
        b.write('a.txt', text('\n'));
        b.write('clean.txt', text('\n'));
        b.git('add', '.');
        b.git('commit', '-q', '-m', 'start');
        if (scope === 'global') b.git('config', '--remove-section', 'filter.case');
        run('touch', ['-d', '2020-01-01', join(b.folder, 'a.txt'), join(b.folder, 'clean.txt')]);
        b.git('status');
      },
    });
    uri = bench.uri({ kind: 'uncommitted' });
    rmSync(join(place, 'ran'), { force: true });
  }
  const hasRun = () => {
    try {
      return readFileSync(join(place, 'ran'), 'utf8') !== '';
    } catch {
      return false;
    }
  };
  const home = process.env.HOME;
  afterEach(() => {
    process.env.HOME = home;
  });

  it('of the user runs: what is shown is what git sees', async () => {
    await startFiltered('global');
    bench.write('a.txt', text('\n', edited()));
    const { files } = await bench.changeset(uri, (state) => state.files.length === 1 && state.operations !== undefined);
    expect(files[0]?.edit.diff).toEqual({ added: 2, removed: 2 });
    expect(await bench.text(files[0]?.edit.after?.content.uri ?? '')).toContain('TWO\n');
    await bench.invoke(uri, 'revert', bench.lines('a.txt', 2, 2));
    expect(bench.read('a.txt')).toBe(text('\n', edited()).replace('two', 'line 2'));
    await bench.invoke(uri, 'stage', bench.lines('a.txt', 8, 8));
    expect(bench.git('show', ':a.txt')).toBe(text('\n', edited()).replace('two', 'line 2').toUpperCase());
  });

  it('that only the repository configures does not run, and the file says so', async () => {
    await startFiltered('own');
    bench.write('a.txt', text('\n', edited()));
    const { files } = await bench.changeset(uri, (state) => state.files.length === 1 && state.operations !== undefined);
    expect(files[0]?._meta?.[ExtensionMeta.notFiltered]).toBe('case');
    expect(files[0]?.edit.diff).toBeUndefined();
    expect(hasRun()).toBe(false);
    expect((await bench.refused(uri, 'revert', bench.lines('a.txt', 2, 2))).message).toContain('filter');
    expect(hasRun()).toBe(false);
    await bench.invoke(uri, 'revert', bench.resource('a.txt'));
    expect(bench.read('a.txt')).toBe(text('\n'));
    expect(hasRun()).toBe(true); // the user asked for it
  });
});
