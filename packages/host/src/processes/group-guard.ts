import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends a process group once this process is gone, also when it is killed: a shell reads from a pipe that only we hold, and
 * the end of that pipe is the end of us. Many programs start others that do not notice the end of their own input.
 */
export class GroupGuard {
  readonly #shell: ChildProcess | undefined;

  /** The folder, which need not be there yet, is removed with the group. */
  constructor(folder?: string) {
    if (process.platform === 'win32') return;
    const place = folder === undefined ? [] : [folder];
    this.#shell = spawn('/bin/sh', ['-c', SCRIPT, 'ahpd-guard', ...place], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    this.#shell.on('error', () => {}); // then nobody guards it; it still works
    this.#shell.stdin?.on('error', () => {});
    this.#shell.unref();
  }

  /** From now on there is a group to be ended. */
  watch(group: number): void {
    this.#shell?.stdin?.write(`${group}\n`);
  }

  /** Nothing of the group is left. */
  dismiss(): void {
    this.#shell?.kill('SIGKILL');
  }
}

const SCRIPT =
  'if read -r group; then read -r _; kill -KILL "-$group" 2>/dev/null; fi; if [ $# -gt 0 ]; then exec /bin/rm -rf -- "$1"; fi';
