import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends a process group once this process is gone, also when it is killed: a shell reads from a pipe that only we hold, and
 * the end of that pipe is the end of us. Servers start programs that do not notice the end of their own input.
 */
export class GroupGuard {
  readonly #shell: ChildProcess | undefined;

  constructor(group: number) {
    if (process.platform === 'win32') return;
    this.#shell = spawn('/bin/sh', ['-c', 'read -r _; kill -KILL "-$1"', 'ahpd-mcp-guard', String(group)], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    this.#shell.on('error', () => {}); // then nobody guards it; it still works
    this.#shell.stdin?.on('error', () => {});
    this.#shell.unref();
  }

  /** Nothing of the group is left. */
  dismiss(): void {
    this.#shell?.kill('SIGKILL');
  }
}
