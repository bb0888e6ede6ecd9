import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';

let world: CliWorld;
beforeEach(async () => {
  world = new CliWorld();
  await world.serve();
});
afterEach(() => world.end());

const file = (name: string) => join(world.work, name);
const content = (name: string) => readFileSync(file(name), 'utf8');

/** Ten lines, so that the first and the last are hunks of their own. */
const LINES = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join('\n');

describe('moorage diff', () => {
  it('shows changes of turns, of the session and between turns', async () => {
    const id = await world.session('/write a.txt first');
    await world.moorage('send', id, '--wait', '--yes', '/write b.txt second\n/replace README.md two => 2');
    const session = await world.moorage('diff', id);
    expect(session.out).toContain('diff --git a/a.txt b/a.txt\nnew file mode 100644');
    expect(session.out).toContain('-two\n+2\n');
    expect(session.out).not.toContain('\x1b');
    expect((await world.moorage('diff', id, '--turn', '1', '--stat')).out).toBe(
      ' A a.txt +1 -0\n1 file changed, 1 line added, 0 removed\n',
    );
    const compared = await world.moorage('diff', id, '--compare', '1', '2', '--stat');
    expect(compared.out).toContain('2 files changed');
    expect((await world.moorage('diff', id, '--turn', '-1', '--file', 'README.md', '--word-diff')).out).toContain(
      '[-two-]{+2+}',
    );
    expect(JSON.parse((await world.moorage('diff', id, '--branch', '--json')).out).files).toHaveLength(3);
    expect(await world.moorage('diff', id, '--turn', '1', '--session')).toMatchObject({ code: 2 });
    expect((await world.moorage('diff', id, '--file', 'c.txt')).err).toContain('No changes of c.txt');
    expect(await world.moorage('diff', id, '--turn', '7')).toMatchObject({
      code: 2,
      err: expect.stringContaining('has 2'),
    });
  });

  it('says before each line who wrote or removed it', async () => {
    writeFileSync(file('README.md'), `${LINES}\n`);
    world.git('commit', '--quiet', '-am', 'Lines');
    const id = await world.session('/replace README.md line 2 => first');
    writeFileSync(file('README.md'), content('README.md').replace('line 5\n', 'mine\n'));
    await world.moorage('send', id, '--wait', '--yes', '/replace README.md line 8 => second');
    expect((await world.moorage('diff', id, '--blame')).out).toContain(
      [
        '             line 1',
        'turn 1       -line 2',
        'turn 1       +first',
        '              line 3',
        '              line 4',
        'user          mine',
        '              line 6',
        '              line 7',
        'turn 2       -line 8',
        'turn 2       +second',
      ]
        .join('\n')
        .slice(1),
    );
    const { files } = JSON.parse((await world.moorage('diff', id, '--blame', '--json')).out);
    expect(files[0].blame.after.authors).toContainEqual({ whose: 'user' });
    expect(await world.moorage('diff', id, '--blame', '--stat')).toMatchObject({ code: 2 });
  });

  it('gives a patch that git apply takes: text, binary, modes, links, renames, odd names', async () => {
    const before = join(world.folder, 'before');
    writeFileSync(file('moved from.txt'), `${LINES}\n`);
    writeFileSync(file('gone.txt'), 'bye\n');
    writeFileSync(file('data.bin'), Buffer.from([0, 1, 2, 255]));
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', 'More');
    cpSync(world.work, before, { recursive: true });
    const id = await world.session('/say nothing yet');
    world.git('mv', 'moved from.txt', 'moved to.txt');
    rmSync(file('gone.txt'));
    writeFileSync(file('data.bin'), Buffer.from([0, 9, 8, 7, 255, 0]));
    writeFileSync(file('run.sh'), '#!/bin/sh\r\necho hi');
    chmodSync(file('run.sh'), 0o755);
    symlinkSync('run.sh', file('link'));
    mkdirSync(file('ünter'));
    writeFileSync(join(file('ünter'), 'quote".txt'), 'x\n');
    const patch = join(world.folder, 'all.patch');
    const ran = await world.moorage('diff', id, '--uncommitted', '--patch');
    expect(ran).toMatchObject({ code: 0, err: '' });
    writeFileSync(patch, ran.out);
    execFileSync('git', ['-C', before, 'apply', '--whitespace=nowarn', patch]);
    rmSync(join(before, '.git'), { recursive: true });
    cpSync(world.work, join(world.folder, 'after'), { recursive: true, verbatimSymlinks: true });
    rmSync(join(world.folder, 'after', '.git'), { recursive: true });
    execFileSync('git', ['diff', '--no-index', '--exit-code', before, join(world.folder, 'after')]);
    expect(existsSync(join(before, 'moved from.txt'))).toBe(false);
  });

  it('shows a pager on a terminal, with colours and without what a file would do to it', async () => {
    const id = await world.session('/write evil.txt \x1b]0;owned\x07\x1b[31mred');
    const terminal = world.terminal('diff', id);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.raw).toContain('\x1b[32m+^[]0;owned^G^[[31mred\x1b[39m');
    const patch = world.terminal('diff', id, '--patch');
    expect(await patch.ended()).toBe(0);
    expect(patch.raw).toContain('+^[]0;owned^G^[[31mred');
    for (const { raw } of [terminal, patch])
      for (const obeyed of ['\x1b]', '\x1b[31mred', '\x07']) expect(raw).not.toContain(obeyed);
  });

  it('hides no file behind what another says, and marks what turns text around and ends of lines', async () => {
    writeFileSync(file('ends.txt'), 'same\n');
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', 'Ends');
    const id = await world.session('/write a.txt \x9dstart\n/write b.txt in b \u202eabc');
    writeFileSync(file('ends.txt'), 'same\r\n');
    const diff = await world.moorage('diff', id, '--uncommitted');
    expect(diff.out).toContain('+<U+009D>start');
    expect(diff.out).toContain('diff --git a/b.txt b/b.txt');
    expect(diff.out).toContain('+in b <U+202E>abc');
    expect(diff.out).toContain('-same\n+same^M\n');
    expect((await world.moorage('diff', id, '--uncommitted', '--word-diff')).out).toContain('{+in b <U+202E>abc+}');
  });
});

describe('operations', () => {
  it('takes back a turn, and undoes that', async () => {
    const id = await world.session('/write a.txt first\n/replace README.md two => 2');
    expect(await world.moorage('revert', id)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect((await world.moorage('revert', id, '--turn', '1', '--yes')).code).toBe(0);
    expect(existsSync(file('a.txt'))).toBe(false);
    expect(content('README.md')).toBe('one\ntwo\nthree\n');
    const undone = await world.moorage('undo', id, '--turn', '1');
    expect(undone).toMatchObject({ code: 0, err: '' });
    expect(content('a.txt')).toBe('first');
    expect((await world.moorage('revert', id, '--file', 'README.md', '--yes')).code).toBe(0);
    expect(content('README.md')).toBe('one\ntwo\nthree\n');
    expect(content('a.txt')).toBe('first');
    expect(await world.moorage('revert', id, '--file', 'nothing.txt', '--yes')).toMatchObject({ code: 2 });
  });

  it('lists what was done in a folder, undoes any step of it, and does it again', async () => {
    const id = await world.session('/write c.txt first\\n\n/write d.txt second\\n');
    const here = ['--folder', world.work];
    for (const name of ['c.txt', 'd.txt']) {
      expect((await world.moorage('revert', id, '--file', name, '--yes')).code).toBe(0);
    }
    const listed = await world.moorage('undo', '--list', ...here, '--json');
    const steps = JSON.parse(listed.out) as { id: string; label: string }[];
    expect(steps.slice(0, 2).map(({ label }) => label)).toEqual(['the revert of d.txt', 'the revert of c.txt']);
    const step = steps[1]?.id.slice(0, 8) ?? '';
    const printed = await world.moorage('undo', step, ...here, '--file', 'c.txt', '--print');
    expect(printed).toMatchObject({ code: 0, out: 'first\n' });
    expect(await world.moorage('undo', step, ...here)).toMatchObject({ code: 0, err: '' });
    expect([existsSync(file('c.txt')), existsSync(file('d.txt'))]).toEqual([true, false]);
    expect((await world.moorage('undo', '--list', ...here)).out).toMatch(/undone +the revert of c\.txt/);
    expect((await world.moorage('redo', ...here)).out).toContain('redone');
    expect(existsSync(file('c.txt'))).toBe(false);
    expect(await world.moorage('redo', 'nothing', ...here)).toMatchObject({ err: expect.stringContaining('--list') });
  });

  it('stages and commits', async () => {
    world.git('config', 'user.name', 'Test');
    world.git('config', 'user.email', 'test@localhost');
    const id = await world.session('/write a.txt first\n/write b.txt second');
    expect((await world.moorage('stage', id, '--file', 'a.txt')).code).toBe(0);
    expect(world.git('diff', '--cached', '--name-only')).toBe('a.txt\n');
    expect((await world.moorage('stage', id, '--undo', '--file', 'a.txt')).code).toBe(0);
    expect(world.git('diff', '--cached', '--name-only')).toBe('');
    expect((await world.moorage('stage', id, '--file', 'b.txt', '--json')).out).toContain('"operation":"stage"');
    const asked = await world.moorage('commit', id, '-m', 'Second');
    expect(asked).toMatchObject({ code: 2, err: expect.stringMatching(/as staged:\n {2}A b\.txt\n[\s\S]*--yes/) });
    expect((await world.moorage('commit', id, '-m', 'Second', '--yes')).code).toBe(0);
    const head = world.git('rev-parse', 'HEAD');
    expect(await world.moorage('undo', '--folder', world.work)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Commit .*undone; the files are as they were/),
    });
    expect(world.git('diff', '--cached', '--name-only')).toBe('b.txt\n');
    expect(await world.moorage('redo', '--folder', world.work)).toMatchObject({ code: 0 });
    expect(world.git('rev-parse', 'HEAD')).toBe(head);
    expect(world.git('show', '--name-only', '--format=%s', 'HEAD')).toBe('Second\n\nb.txt\n');
    expect(await world.moorage('stage', id, '--interactive')).toMatchObject({ code: 2 });
  });

  it('asks for the message of a commit, and shows what it takes', async () => {
    world.git('config', 'user.name', 'Test');
    world.git('config', 'user.email', 'test@localhost');
    const id = await world.session('/write asked.txt first');
    const head = world.git('rev-parse', 'HEAD');
    const declined = world.terminal('commit', id);
    await declined.sees('what this session changed');
    await declined.sees('A asked.txt');
    await declined.sees('Suggested: ');
    await declined.sees('Message');
    declined.type('\r');
    expect(await declined.ended()).not.toBe(0);
    expect(world.git('rev-parse', 'HEAD')).toBe(head);
    const committed = world.terminal('commit', id);
    await committed.sees('Message');
    committed.type('Write what was asked\r');
    expect(await committed.ended()).toBe(0);
    expect(world.git('show', '--format=%s', '--name-only', 'HEAD')).toMatch(
      /^Write what was asked\n\n[\s\S]*asked\.txt/,
    );
  });

  it('takes back chosen hunks', async () => {
    writeFileSync(file('long.txt'), `${LINES}\n`);
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', 'Long');
    const replacements = ['line 2 => LINE TWO', 'line 5 => LINE FIVE', 'line 9 => LINE NINE'];
    const id = await world.session(replacements.map((each) => `/replace long.txt ${each}`).join('\n'));
    const terminal = world.terminal('revert', id, '--interactive');
    await terminal.sees('+LINE TWO');
    await terminal.sees('this hunk? [y,n,a,d,q,?]');
    terminal.type('y\r');
    await terminal.sees('+LINE FIVE');
    terminal.type('n\r');
    await terminal.sees('+LINE NINE');
    terminal.type('y\r');
    expect(await terminal.ended()).toBe(0);
    expect(content('long.txt')).toBe(`${LINES.replace('line 5', 'LINE FIVE')}\n`);
  });
});
