import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends a process group when this process ends, even if it is killed. A small shell reads from a pipe that only this process
 * holds, so the pipe's end means that this process has ended. Closing the programs' input would not be enough: many
 * start others that do not notice.
 */
export class GroupGuard {
  readonly #shell: ChildProcess | undefined;

  /** The folder, which need not exist yet, is removed when this process ends. */
  constructor({
    folder,
    signal = 'KILL',
  }: { readonly folder?: string | undefined; readonly signal?: 'KILL' | 'TERM' } = {}) {
    if (process.platform === 'win32') return;
    const place = folder === undefined ? [] : [folder];
    this.#shell = spawn('/bin/sh', ['-c', SCRIPT, 'moorage-guard', signal, ...place], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    this.#shell.on('error', () => {}); // the group then runs unguarded
    this.#shell.stdin?.on('error', () => {});
    this.#shell.unref();
  }

  /** Names the group to end; before this only the folder would be removed. */
  watch(group: number): void {
    this.#shell?.stdin?.write(`${group}\n`);
  }

  /** Ends the guard; call it when nothing of the group is left. */
  dismiss(): void {
    this.#shell?.kill('SIGKILL');
  }
}

const SCRIPT =
  'if read -r group; then read -r _; kill -"$1" "-$group" 2>/dev/null; fi; if [ $# -gt 1 ]; then exec /bin/rm -rf -- "$2"; fi';
