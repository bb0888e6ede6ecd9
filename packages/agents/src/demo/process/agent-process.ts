import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { requirePipes, signalGroup } from '@moorage/host/processes';
import type { Timers, Transport } from '@moorage/protocol';
import { lineTransport } from './line-transport.js';

/** Milliseconds between asking a process to end and killing it. It has nothing to save that could take longer. */
export const TERM_GRACE_MS = 2_000;

/** Characters of standard error that are kept, the newest: enough to see why it died. */
const MAX_STDERR_CHARS = 8 * 1024;

/** Variables of the host that the process gets. All others may hold secrets that a script does not need. */
const PASSED_VARIABLES = ['LANG', 'LC_ALL', 'TZ', 'SystemRoot'];

export interface AgentProcessOptions {
  readonly script: string;
  /** Shown in the process list, so that people can tell the processes apart. */
  readonly label: string;
  readonly timers: Timers;
}

/** A Node process in a group of its own. It ends when its standard input does, so that it never outlives the host. */
export class AgentProcess {
  readonly transport: Transport;
  /** How it ended, in words; resolves once everything it wrote has been read. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;
  readonly #timers: Timers;
  #gone = false;
  #stderr = '';

  constructor({ script, label, timers }: AgentProcessOptions) {
    this.#timers = timers;
    const child = spawn(process.execPath, [script, label], {
      cwd: dirname(script),
      env: Object.fromEntries(PASSED_VARIABLES.flatMap((name) => variable(name))),
      stdio: 'pipe',
      detached: true,
      windowsHide: true,
    });
    this.#child = requirePipes(child);
    this.transport = lineTransport(child.stdout, child.stdin);
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_CHARS);
    });
    this.exited = new Promise((resolve) => {
      child.on('error', (error) => {
        if (child.pid === undefined) resolve(`it could not be started: ${error.message}`);
      });
      child.on('close', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
    });
    void this.exited.then(() => {
      this.#gone = true;
    });
  }

  /** What it last wrote to standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Asks it to end, kills it if it does not, and resolves when it has. */
  async stop(): Promise<void> {
    this.#signal('SIGTERM');
    this.pause(false); // else it would not hear that it is to end
    const grace = this.#timers.setTimeout(() => this.kill(), TERM_GRACE_MS);
    await this.exited;
    this.#timers.clearTimeout(grace);
  }

  /** Stops it and all that it has started, or lets them go on. */
  pause(isPaused: boolean): void {
    if (process.platform !== 'win32') this.#signal(isPaused ? 'SIGSTOP' : 'SIGCONT');
  }

  kill(): void {
    this.#signal('SIGKILL');
  }

  #signal(signal: NodeJS.Signals): void {
    if (!this.#gone) signalGroup(this.#child, signal);
  }
}

function variable(name: string): [string, string][] {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value]];
}
