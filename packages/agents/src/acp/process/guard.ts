import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills a process group and removes its folder when this process is gone, however it went: a shell waits for the end of a
 * pipe that only we hold. Real agents start programs that do not notice the end of their standard input.
 */
export class Guard {
  readonly #shell: ChildProcess | undefined;

  constructor(group: number, folder: string) {
    if (process.platform === 'win32') return;
    this.#shell = spawn('/bin/sh', ['-c', SCRIPT, 'ahpd-agent-guard', String(group), folder], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    this.#shell.on('error', () => {}); // then there is no guard; the agent itself still runs
    this.#shell.stdin?.on('error', () => {});
    this.#shell.unref();
  }

  /** The group is gone: there is nothing to guard any more. */
  dismiss(): void {
    this.#shell?.kill('SIGKILL');
  }
}

const SCRIPT = 'read -r _; kill -KILL "-$1" 2>/dev/null; exec /bin/rm -rf -- "$2"';
