import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { GroupGuard } from './group-guard.js';
import { letGoOfHeldPipes } from './held-pipes.js';
import { requirePipes } from './require-pipes.js';
import { signalGroup } from './signal-group.js';

/** What is run, and with what. */
export interface GroupProgram {
  /** A path, or a name that is looked for on PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Made for it, and gone with it, also when this process is killed. */
  readonly folder?: string;
  /** Whether anybody reads its standard error: a pipe that fills up would stop it. */
  readonly readsErrors: boolean;
}

/** How a program ended. */
export type ProcessEnd =
  | { readonly kind: 'notStarted'; readonly cause: NodeJS.ErrnoException }
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: NodeJS.Signals | null };

/**
 * A program with all that it starts: one group, which ends as a whole, also when this process is killed. Throws when it cannot
 * even be tried.
 */
export class ProcessGroup {
  /** Settled when nothing of the group is left and all that it wrote was read. */
  readonly ended: Promise<ProcessEnd>;
  readonly input: Writable;
  readonly output: Readable;
  /** Absent when nobody reads it. */
  readonly errors: Readable | null;
  readonly #child: ChildProcess;
  readonly #guard: GroupGuard;
  readonly #folder: string | undefined;
  #isGone = false;

  constructor({ command, args, cwd, env, folder, readsErrors }: GroupProgram) {
    this.#folder = folder;
    this.#guard = new GroupGuard(folder); // before there is anything to be guarded: this process may be killed at any moment
    const how = { cwd, env, detached: true, windowsHide: true };
    const child = this.#orTidy(() => {
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
    // An error that nobody listens to would end the host, and a broken pipe is only the program's end.
    for (const stream of [stdin, stdout, stderr]) stream?.on('error', () => {});
    letGoOfHeldPipes(child); // something that left the group may have them
    this.ended = this.#untilGone();
  }

  /** Ends its input, asks it to go after that many milliseconds, and makes it go after some more. Resolves when it has. */
  async stop({ askAfterMs, killAfterMs }: { askAfterMs: number; killAfterMs: number }): Promise<void> {
    this.input.end();
    const ask = setTimeout(() => this.#signal('SIGTERM'), askAfterMs);
    const force = setTimeout(() => this.kill(), askAfterMs + killAfterMs);
    await this.ended;
    clearTimeout(ask);
    clearTimeout(force);
  }

  kill(): void {
    this.#signal('SIGKILL');
  }

  #untilGone(): Promise<ProcessEnd> {
    return new Promise((resolve) => {
      const end = (how: ProcessEnd) => {
        if (this.#isGone) return;
        this.#isGone = true;
        void this.#tidy().then(() => resolve(how));
      };
      this.#child.on('error', (cause) => {
        if (this.#child.pid === undefined) end({ kind: 'notStarted', cause });
      });
      this.#child.on('exit', (code, signal) => {
        this.kill(); // what it started may live on, and hold the pipes
        this.#child.on('close', () => end({ kind: 'exited', code, signal }));
      });
    });
  }

  #orTidy<T>(start: () => T): T {
    try {
      return start();
    } catch (error) {
      void this.#tidy();
      throw error;
    }
  }

  async #tidy(): Promise<void> {
    // A program that left the group may still write there; it lies where the system tidies up.
    const how = { recursive: true, force: true, maxRetries: 3 };
    if (this.#folder !== undefined) await rm(this.#folder, how).catch(() => undefined);
    this.#guard.dismiss();
  }

  #signal(signal: NodeJS.Signals): void {
    if (!this.#isGone) signalGroup(this.#child, signal);
  }
}
