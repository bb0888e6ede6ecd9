import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { GroupGuard } from './group-guard.js';
import { closePipesAfterExit } from './held-pipes.js';
import { requirePipes } from './require-pipes.js';
import { signalGroup } from './signal-group.js';

/** The program to run. */
export interface GroupProgram {
  /** A path, or a name that is looked up on PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** The program's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A folder to create for the program, and to remove after its end, even if this process is killed. */
  readonly folder?: string;
  /** Whether the caller reads standard error. If not, it is discarded: a full pipe would block the program. */
  readonly readsErrors: boolean;
}

/** How a program ended. */
export type ProcessEnd =
  | { readonly kind: 'notStarted'; readonly cause: NodeJS.ErrnoException }
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: NodeJS.Signals | null };

/**
 * A program in a process group of its own. The whole group ends when the program does, and when this process ends, even if it
 * is killed. The constructor throws when the start cannot be attempted; a program that does not start ends as `notStarted`.
 */
export class ProcessGroup {
  /** Resolves when nothing of the group is left and its output has been read. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  readonly input: Writable;
  readonly output: Readable;
  /** Null unless `readsErrors` was set. */
  readonly errors: Readable | null;
  readonly #child: ChildProcess;
  readonly #guard: GroupGuard;
  readonly #folder: string | undefined;
  #isGone = false;
  #isPaused = false;

  constructor({ command, args, cwd, env, folder, readsErrors }: GroupProgram) {
    this.#folder = folder;
    this.#guard = new GroupGuard({ folder }); // before the program starts: this process may be killed at any moment
    const how = { cwd, env, detached: true, windowsHide: true };
    const child = this.#orCleanUp(() => {
      if (folder !== undefined) mkdirSync(folder, { mode: 0o700 });
      return requirePipes(
        readsErrors
          ? spawn(command, args, { ...how, stdio: ['pipe', 'pipe', 'pipe'] })
          : spawn(command, args, { ...how, stdio: ['pipe', 'pipe', 'ignore'] }),
      );
    });
    const { pid, stdin, stdout, stderr } = child;
    this.#child = child;
    this.input = stdin;
    this.output = stdout;
    this.errors = stderr;
    if (pid !== undefined) this.#guard.watch(pid);
    // An unhandled error event would end the host, and a broken pipe only means that the program has ended.
    for (const stream of [stdin, stdout, stderr]) stream?.on('error', () => {});
    closePipesAfterExit(child); // a process that left the group may hold them
    this.ended = this.#untilGone();
  }

  /**
   * Closes the program's input, sends SIGTERM after `askAfterMs`, and SIGKILL `killAfterMs` later if it still runs. Resolves
   * when the group has ended.
   */
  async stop({ askAfterMs, killAfterMs }: { askAfterMs: number; killAfterMs: number }): Promise<void> {
    this.input.end();
    const ask = setTimeout(() => {
      this.#signal('SIGTERM');
      if (this.#isPaused) this.pause(false); // else it would not hear that it is to end
    }, askAfterMs);
    const kill = setTimeout(() => this.kill(), askAfterMs + killAfterMs);
    await this.ended;
    clearTimeout(ask);
    clearTimeout(kill);
  }

  /** Stops the group where it is, or lets it go on. Where the system has no such signals, nothing happens. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (process.platform !== 'win32') this.#signal(isPaused ? 'SIGSTOP' : 'SIGCONT');
  }

  kill(): void {
    this.#signal('SIGKILL');
  }

  #untilGone(): Promise<ProcessEnd> {
    return new Promise((resolve) => {
      const end = (how: ProcessEnd) => {
        if (this.#isGone) return;
        this.#isGone = true;
        void this.#cleanUp().then(() => resolve(how));
      };
      this.#child.on('error', (cause) => {
        if (this.#child.pid === undefined) end({ kind: 'notStarted', cause });
      });
      this.#child.on('exit', (code, signal) => {
        this.kill(); // processes that it started may still run, and hold the pipes
        this.#child.on('close', () => end({ kind: 'exited', code, signal }));
      });
    });
  }

  #orCleanUp<T>(start: () => T): T {
    try {
      return start();
    } catch (error) {
      void this.#cleanUp();
      throw error;
    }
  }

  async #cleanUp(): Promise<void> {
    // Fails if a process that left the group still writes there. The folder is then left to the system's own cleanup.
    const how = { recursive: true, force: true, maxRetries: 3 };
    if (this.#folder !== undefined) await rm(this.#folder, how).catch(() => undefined);
    this.#guard.dismiss();
  }

  #signal(signal: NodeJS.Signals): void {
    if (!this.#isGone) signalGroup(this.#child, signal);
  }
}
