import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PtyError } from '../ports/pty.js';
import type { ShellLaunch, Shells } from '../ports/shell.js';

/** The contract of Shells, as vitest suites. `make` uses the given shell in place of the user's. */
export function describeShells(name: string, make: (shell: string) => Shells): void {
  const installed = ['/bin/sh', '/bin/bash', '/usr/bin/zsh', '/usr/bin/fish'].filter((shell) => existsSync(shell));
  describe.each(installed)(`${name} is a Shells, with %s`, (shell) => {
    it('runs a command line as a shell of the Bourne family, and exits with it', () => {
      const launch = make(shell).commandLine('x="a  b"; echo "$x" | tr a-z A-Z; exit 5');
      expect(run(launch)).toEqual({ status: 5, output: 'A  B\n' });
    });

    it('runs a program with exactly its arguments', () => {
      const args = ['%s|', '', '$HOME', "it's", '`id`; exit', '*', 'a\nb', '-n'];
      const launch = make(shell).program('printf', args);
      expect(run(launch)).toEqual({ status: 0, output: args.slice(1).join('|').concat('|') });
      expect(run(make(shell).program('no-such-program-at-all', [])).status).toBe(127);
    });
  });

  // fish is interactive only at a terminal, and this is a pipe.
  describe.each(installed.filter((shell) => !shell.endsWith('fish')))(`${name} is a Shells, with %s`, (shell) => {
    it('is interactive; its reports contain the nonce, which programs do not get', () => {
      const launch = make(shell).interactive('n0nce');
      expect(launch.name).not.toBe('');
      const { status, output } = run(launch, 'echo "4""2"; env\nexit 3\n');
      expect(status).toBe(3);
      const reports = output.match(REPORT) ?? [];
      expect(reports.filter((report) => !report.includes('n0nce'))).toEqual([]);
      const shown = output.replace(REPORT, '');
      expect(shown).toContain('42\n');
      expect(shown).toContain('PATH=');
      expect(shown).not.toContain('n0nce');
    });
  });

  it(`${name} throws when there is no interactive shell, and still runs command lines`, () => {
    expect(() => make('/no/such/shell').interactive('n0nce')).toThrow(PtyError);
    expect(run(make('/no/such/shell').commandLine('echo on')).output).toBe('on\n');
  });
}

/** Escape sequences, with which shells mark what is not shown. */
const [BEGIN, END] = ['\u001b]633;', '\u0007'];
const REPORT = new RegExp(`${BEGIN.replace(']', '\\]')}[^${END}]*${END}`, 'g');

function run({ file, args, env }: ShellLaunch, input = ''): { status: number | null; output: string } {
  const { status, stdout } = spawnSync(file, args, { env: { ...env }, cwd: '/', input, encoding: 'utf8' });
  return { status, output: stdout };
}
