import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends a process group once this process is gone, also when it is killed: a shell reads from a pipe that only we hold, and
 * the end of that pipe is the end of us. Many programs start others that do not notice the end of their own input.
 */
export class GroupGuard {
  readonly #shell: ChildProcess | undefined;

  /** The folder is removed with the group. */
  constructor(group: number, folder?: string) {
    if (process.platform === 'win32') return;
    const place = folder === undefined ? [] : [folder];
    this.#shell = spawn('/bin/sh', ['-c', SCRIPT, 'ahpd-guard', String(group), ...place], {
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

const SCRIPT = 'read -r _; kill -KILL "-$1" 2>/dev/null; if [ $# -gt 1 ]; then exec /bin/rm -rf -- "$2"; fi';
