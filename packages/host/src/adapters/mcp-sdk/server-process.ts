import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { McpLaunch } from '../../ports/mcp.js';
import { requirePipes } from '../process-node/require-pipes.js';
import { GroupGuard } from './group-guard.js';
import { END_GRACE_MS, TERM_GRACE_MS } from './limits.js';

/** A server's process with all that it starts: one group, which ends as a whole. */
export class ServerProcess {
  /** How it ended, in words that name nothing of its command; settled when nothing of it is left. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #guard: GroupGuard | undefined;
  #isGone = false;

  constructor({ command, args = [], cwd }: Extract<McpLaunch, { kind: 'stdio' }>, env: Record<string, string>) {
    // Standard error may hold anything, and nobody reads it: a full pipe would stop the server.
    const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
    this.#child = requirePipes(spawn(command, args, { cwd, env, stdio, detached: true, windowsHide: true }));
    const { pid, stdin, stdout } = this.#child;
    if (pid !== undefined) this.#guard = new GroupGuard(pid);
    // An error that nobody listens to would end the host, and a broken pipe is only the server's end.
    for (const stream of [stdin, stdout]) stream.on('error', () => {});
    this.ended = this.#untilGone();
  }

  get input(): Writable {
    return this.#child.stdin;
  }

  get output(): Readable {
    return this.#child.stdout;
  }

  /** Ends its input, then asks it to go, then makes it. Resolves when nothing is left. */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    const ask = setTimeout(() => this.#signal('SIGTERM'), END_GRACE_MS);
    const force = setTimeout(() => this.kill(), END_GRACE_MS + TERM_GRACE_MS);
    await this.ended;
    clearTimeout(ask);
    clearTimeout(force);
  }

  kill(): void {
    this.#signal('SIGKILL');
  }

  #untilGone(): Promise<string> {
    return new Promise((resolve) => {
      let how = 'it ended';
      const end = () => {
        if (this.#isGone) return;
        this.#isGone = true;
        this.#guard?.dismiss();
        resolve(how);
      };
      this.#child.on('error', (error) => {
        if (this.#child.pid !== undefined) return;
        how = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'its program was not found' : 'it could not be run';
        end();
      });
      this.#child.on('exit', (code, signal) => {
        how = signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
        this.kill(); // what it started may live on, and hold the pipes
      });
      this.#child.on('close', end);
    });
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (this.#isGone || pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // Nothing of the group is left.
    }
  }
}
