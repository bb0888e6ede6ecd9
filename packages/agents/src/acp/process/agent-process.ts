import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { requirePipes } from '../../shared/require-pipes.js';
import { agentEnvironment } from './environment.js';
import { Guard } from './guard.js';
import { MAX_STDERR_CHARS, TERM_GRACE_MS } from './limits.js';
import { redactor } from './redact.js';

export interface AgentProgram {
  /** A path, or a name that is looked for on PATH. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to what every agent gets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of variables of the host that this agent gets as well. */
  readonly passEnv?: readonly string[] | undefined;
  /** Added as well; nothing that the agent writes is shown with these in it. */
  readonly secretEnv?: Readonly<Record<string, string>> | undefined;
}

/** An agent's process with all that it starts: one group, one private folder for temporary files, both gone at its end. */
export class AgentProcess {
  /** How it ended, in words; settled when nothing of it is left. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #folder: string;
  readonly #redact: (text: string) => string;
  #guard: Guard | undefined;
  #stderr = '';
  #gone = false;

  constructor({ command, args = [], env, passEnv, secretEnv = {} }: AgentProgram, cwd: string) {
    this.#folder = mkdtempSync(join(tmpdir(), 'ahpd-agent-'));
    const variables = { ...env, ...secretEnv };
    const environment = agentEnvironment(process.env, { env: variables, passEnv, temporaryFolder: this.#folder });
    this.#redact = redactor(environment, Object.values(secretEnv));
    this.#child = spawn(command, args, { cwd, env: environment, stdio: 'pipe', detached: true, windowsHide: true });
    try {
      requirePipes(this.#child);
    } catch (error) {
      rmSync(this.#folder, { recursive: true, force: true });
      throw error;
    }
    const { pid, stderr, stdin } = this.#child;
    if (pid !== undefined) this.#guard = new Guard(pid, this.#folder);
    stderr.setEncoding('utf8');
    stderr.on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_CHARS);
    });
    // An error that nobody listens to would end the host, and a broken pipe is only the agent's end.
    for (const stream of [stdin, stderr, this.#child.stdout]) stream.on('error', () => {});
    this.exited = this.#untilGone();
  }

  get input(): Writable {
    return this.#child.stdin;
  }

  get output(): Readable {
    return this.#child.stdout;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What it last wrote to standard error, without secrets. */
  get stderr(): string {
    return this.#redact(this.#stderr);
  }

  redact(text: string): string {
    return this.#redact(text);
  }

  /** Asks it to end, kills its group if it does not, and resolves when it has. */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    this.#signal('SIGTERM');
    const grace = setTimeout(() => this.kill(), TERM_GRACE_MS);
    await this.exited;
    clearTimeout(grace);
  }

  kill(): void {
    this.#signal('SIGKILL');
  }

  #untilGone(): Promise<string> {
    return new Promise((resolve) => {
      let how = '';
      const end = (words: string) => {
        if (this.#gone) return;
        this.#gone = true;
        this.#guard?.dismiss();
        rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
        resolve(words);
      };
      this.#child.on('error', (error) => {
        if (this.#child.pid === undefined) end(`it could not be started: ${error.message}`);
      });
      this.#child.on('exit', (code, signal) => {
        how = signal ? `signal ${signal}` : `exit code ${code}`;
        this.kill(); // what it started may live on, and hold the pipes
      });
      this.#child.on('close', () => end(how));
    });
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (this.#gone || pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // Nothing of the group is left.
    }
  }
}
