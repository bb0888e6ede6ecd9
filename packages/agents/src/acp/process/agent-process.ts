import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { AgentChatOptions } from '@moorage/host/ports';
import { type GroupProgram, type ProcessEnd, ProcessGroup } from '@moorage/host/processes';
import { agentEnvironment } from './environment.js';
import { MAX_STDERR_CHARS, TERM_GRACE_MS } from './limits.js';
import { type OwnFiles, ownPaths } from './own-files.js';
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
  /** What it needs in a sandbox besides the session's folders: its settings, its login and its sessions. */
  readonly ownFiles?: OwnFiles | undefined;
}

type Confine = NonNullable<AgentChatOptions['confine']>;

/** An agent's process and all that it starts: a process group and a private temporary folder, both gone when it ends. */
export class AgentProcess {
  /** How it ended, in words; resolves when nothing of it is left. */
  readonly exited: Promise<string>;
  readonly #group: ProcessGroup;
  readonly #redact: (text: string) => string;
  #stderr = '';

  /** Starts it, in a sandbox if `confine` is given. Rejects with an AgentError when there can be none. */
  static async start(program: AgentProgram, cwd: string, confine?: Confine): Promise<AgentProcess> {
    const { command, args = [], env, passEnv, secretEnv = {}, ownFiles = {} } = program;
    const folder = join(tmpdir(), `moorage-agent-${randomUUID()}`);
    const given = { ...env, ...secretEnv };
    const environment = agentEnvironment(process.env, { env: given, passEnv, temporaryFolder: folder });
    const redact = redactor(environment, Object.values(secretEnv));
    if (!confine) return new AgentProcess({ command, args, cwd, env: environment, folder }, redact);
    // The sandbox has temporary folders of its own, which the other programs of the session share.
    const { TMPDIR: _tmpdir, TMP: _tmp, TEMP: _temp, ...variables } = environment;
    const paths = ownPaths(ownFiles, environment);
    const confined = await confine({ command, args, cwd, env: variables, ...paths });
    return new AgentProcess({ ...confined, cwd, folder }, redact);
  }

  private constructor(program: Omit<GroupProgram, 'readsErrors'>, redact: (text: string) => string) {
    this.#redact = redact;
    this.#group = new ProcessGroup({ ...program, readsErrors: true });
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

  pause(isPaused: boolean): void {
    this.#group.pause(isPaused);
  }

  kill(): void {
    this.#group.kill();
  }
}

function wordsFor(end: ProcessEnd): string {
  if (end.kind === 'notStarted') return `it could not be started: ${end.cause.message}`;
  return end.signal ? `signal ${end.signal}` : `exit code ${end.code}`;
}
