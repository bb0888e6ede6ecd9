import { describe, expect, it, vi } from 'vitest';
import { type Pty, PtyError, type PtyExit, type PtyOptions, type Ptys } from '../ports/index.js';

const SHELL: PtyOptions = {
  file: '/bin/sh',
  args: [],
  cwd: '/',
  env: { PATH: '/usr/local/bin:/usr/bin:/bin', TERM: 'xterm-256color', PS1: '$ ' },
  cols: 80,
  rows: 24,
};

/** The contract of Ptys, as a vitest suite. */
export function describePtys(name: string, make: () => Ptys): void {
  describe(`${name} runs programs in terminals`, () => {
    it('with the given arguments, folder, environment and size, and nothing else', async () => {
      process.env.PTY_CONTRACT_SECRET = 'secret';
      const { output, exit } = run(make(), {
        args: ['-c', 'echo "$1|$GIVEN|$PTY_CONTRACT_SECRET|$(pwd)|$(stty size)|$TERM"', 'sh', 'a "b'],
        cwd: '/tmp',
        env: { ...SHELL.env, GIVEN: 'x y' },
        cols: 100,
        rows: 30,
      });
      expect(await exit).toEqual({ exitCode: 0 });
      expect(output()).toBe('a "b|x y||/tmp|30 100|xterm-256color\r\n');
      delete process.env.PTY_CONTRACT_SECRET;
    });

    it('reports how they end, after all of their output', async () => {
      const { output, exit } = run(make(), { args: ['-c', 'seq 20000; exit 3'] });
      expect(await exit).toEqual({ exitCode: 3 });
      expect(output().endsWith('\r\n20000\r\n')).toBe(true);
      expect(output().split('\r\n')).toHaveLength(20_001);
      const killed = run(make(), { args: ['-c', 'kill -9 $$'] });
      expect(await killed.exit).toEqual({ exitCode: 137, signal: 9 });
    });

    it('passes on input and changes of size', async () => {
      const { pty, output, exit } = run(make(), {});
      pty.write('stty size; echo typed | tr a-z A-Z\r');
      await vi.waitFor(() => expect(output()).toContain('TYPED'), PATIENT);
      pty.resize(132, 43);
      pty.write('stty size\r');
      await vi.waitFor(() => expect(output()).toContain('43 132'), PATIENT);
      pty.write('exit 5\r');
      expect(await exit).toEqual({ exitCode: 5 });
      pty.write('too late\r');
      pty.resize(10, 10);
      pty.pause();
      pty.resume();
      pty.kill();
    });

    it('takes more input than a program reads at once, and does not wait for one that reads none', async () => {
      const reader = run(make(), { args: ['-c', 'stty raw -echo; echo ready; sleep 0.2; head -c 1000000 | wc -c'] });
      await vi.waitFor(() => expect(reader.output()).toContain('ready'), PATIENT);
      reader.pty.write('x'.repeat(1_000_000));
      await reader.exit;
      expect(reader.output()).toContain('1000000');
      const deaf = run(make(), { args: ['-c', 'stty raw -echo; echo ready; sleep 600'] });
      await vi.waitFor(() => expect(deaf.output()).toContain('ready'), PATIENT);
      for (let count = 0; count < 10; count++) deaf.pty.write('x'.repeat(1_000_000));
      deaf.pty.kill();
      await deaf.exit;
    });

    it('blocks a program while reading is paused, and loses no output', async () => {
      const { pty, output, exit, bytes } = run(make(), { args: ['-c', 'seq 200000'] });
      await vi.waitFor(() => expect(bytes()).toBeGreaterThan(0), PATIENT);
      pty.pause();
      const before = bytes();
      const watch = run(make(), { args: ['-c', 'sleep 0.3'] }); // in that time the program could have written far more
      await watch.exit;
      expect(bytes() - before).toBeLessThan(256 * 1024);
      pty.resume();
      expect(await exit).toEqual({ exitCode: 0 });
      expect(output().endsWith('\r\n200000\r\n')).toBe(true);
      expect(bytes()).toBe(1_488_895);
    });

    it('delivers the last output also when reading is paused at the end', async () => {
      // In one piece: a terminal holds few of many small ones, and a program with more would have to wait until somebody reads.
      const { pty, output, exit } = run(make(), { args: ['-c', "read line; printf '%03000d\\n' 7"] });
      pty.write('go\r');
      pty.pause();
      expect(await exit).toEqual({ exitCode: 0 });
      expect(output().endsWith(`${'0'.repeat(2_999)}7\r\n`)).toBe(true);
    });

    it('ends programs, also those that ignore signals', async () => {
      const gentle = run(make(), { args: ['-c', 'echo ready; sleep 600'] });
      await vi.waitFor(() => expect(gentle.output()).toContain('ready'), PATIENT);
      gentle.pty.kill();
      expect(await gentle.exit).toEqual({ exitCode: 129, signal: 1 });
      const stubborn = run(make(), { args: ['-c', "trap '' HUP TERM; echo ready; while :; do sleep 1; done"] });
      await vi.waitFor(() => expect(stubborn.output()).toContain('ready'), PATIENT);
      stubborn.pty.kill();
      expect(await stubborn.exit).toEqual({ exitCode: 137, signal: 9 });
    });

    it.runIf(process.platform === 'linux')('ends their background jobs, unless those ignore the hangup', async () => {
      const lines = [
        'set -m', // gives each job a group of its own, as in an interactive shell
        'sleep 600 & echo "job $!"',
        'sleep 600 & echo "stopped $!"; kill -STOP $!',
        'nohup sleep 600 >/dev/null 2>&1 & echo "stays $!"',
        'until [ "$(cat /proc/$!/comm)" = sleep ]; do sleep 0.02; done', // before that, nohup has not taken effect
        "trap '' HUP TERM; echo ready; while :; do sleep 1; done",
      ];
      const { pty, output, exit } = run(make(), { args: ['-c', lines.join('\n')] });
      await vi.waitFor(() => expect(output()).toContain('ready'), PATIENT);
      const pid = (name: string) => Number(new RegExp(`${name} (\\d+)\r`).exec(output())?.[1]);
      const [job, stopped, stays] = [pid('job'), pid('stopped'), pid('stays')];
      expect([job, stopped, stays].map(isAlive)).toEqual([true, true, true]);
      pty.kill();
      expect(await exit).toEqual({ exitCode: 137, signal: 9 });
      await vi.waitFor(() => expect([job, stopped].map(isAlive)).toEqual([false, false]), PATIENT);
      expect(isAlive(stays)).toBe(true);
      process.kill(stays, 'SIGKILL');
    });

    it('lets them inherit nothing but the terminal', async () => {
      const ptys = make();
      const other = run(ptys, {});
      const { output, exit } = run(ptys, { args: ['-c', 'for f in /proc/$$/fd/*; do readlink $f; done 2>&1'] });
      await exit;
      expect(output()).not.toContain('ptmx');
      expect(output()).not.toContain('pipe:');
      other.pty.kill();
      await other.exit;
    });

    it('throws for what cannot be run', () => {
      expect(() => make().spawn({ ...SHELL, file: '/no/such/shell' })).toThrow(PtyError);
      expect(() => make().spawn({ ...SHELL, file: '/etc/passwd' })).toThrow(/passwd/);
      expect(() => make().spawn({ ...SHELL, cwd: '/no/such/folder' })).toThrow(/no.such.folder/);
    });
  });
}

/** Generous, so that a machine under load does not fail the suite. */
const PATIENT = { timeout: 30_000, interval: 10 };

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Running {
  readonly pty: Pty;
  readonly output: () => string;
  readonly bytes: () => number;
  readonly exit: Promise<PtyExit>;
}

function run(ptys: Ptys, options: Partial<PtyOptions>): Running {
  const pty = ptys.spawn({ ...SHELL, ...options });
  const chunks: Uint8Array[] = [];
  pty.onData((data) => chunks.push(data));
  const exit = new Promise<PtyExit>((resolve) => pty.onExit(resolve));
  const bytes = () => chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return { pty, output: () => Buffer.concat(chunks).toString(), bytes, exit };
}
