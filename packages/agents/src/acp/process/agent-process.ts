import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type ProcessEnd, ProcessGroup } from '@moorage/host/processes';
import { agentEnvironment } from './environment.js';
import { MAX_STDERR_CHARS, TERM_GRACE_MS } from './limits.js';
import { redactor } from './redact.js';

export interface AgentProgram {
  /** A path, or a name to look for on PATH. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to the variables that every agent gets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of further variables of the host that this agent gets. */
  readonly passEnv?: readonly string[] | undefined;
  /** Added too, and removed from everything that the agent writes before it is shown. */
  readonly secretEnv?: Readonly<Record<string, string>> | undefined;
}

/** An agent's process and all that it starts: a process group and a private temporary folder, both gone when it ends. */
export class AgentProcess {
  /** How it ended, in words; resolves when nothing of it is left. */
  readonly exited: Promise<string>;
  readonly #group: ProcessGroup;
  readonly #redact: (text: string) => string;
  #stderr = '';

  constructor({ command, args = [], env, passEnv, secretEnv = {} }: AgentProgram, cwd: string) {
    const folder = join(tmpdir(), `moorage-agent-${randomUUID()}`);
    const variables = { ...env, ...secretEnv };
    const environment = agentEnvironment(process.env, { env: variables, passEnv, temporaryFolder: folder });
    this.#redact = redactor(environment, Object.values(secretEnv));
    this.#group = new ProcessGroup({ command, args, cwd, env: environment, folder, readsErrors: true });
    this.#group.errors?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_CHARS);
    });
    this.exited = this.#group.ended.then(wordsFor);
  }

  get input(): Writable {
    return this.#group.input;
  }

  get output(): Readable {
    return this.#group.output;
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
    await this.#group.stop({ askAfterMs: 0, killAfterMs: TERM_GRACE_MS });
    await this.exited;
  }

  kill(): void {
    this.#group.kill();
  }
}

function wordsFor(end: ProcessEnd): string {
  if (end.kind === 'notStarted') return `it could not be started: ${end.cause.message}`;
  return end.signal ? `signal ${end.signal}` : `exit code ${end.code}`;
}
