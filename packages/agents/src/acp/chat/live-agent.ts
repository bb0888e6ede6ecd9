import { PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import { type AgentChatOptions, AgentError } from '@moorage/host/ports';
import { type Fields, fields, label, list } from '../../shared/untrusted.js';
import { VERSION } from '../../version.js';
import { type AcpAgentOptions, nameOf } from '../config.js';
import { type AgentConnection, type AgentRequests, connectAgent } from '../connection/connection.js';
import { type Habits, habitsOf } from '../habits.js';
import { AgentProcess } from '../process/agent-process.js';
import type { AcpTimeouts } from '../timeouts.js';

/** An agent that is running and has answered `initialize`. */
export class LiveAgent {
  /** How it ended, in words. */
  readonly ended: Promise<string>;
  readonly #process: AgentProcess;
  readonly #connection: AgentConnection;
  #answer: Fields = {};
  #habits: Habits = {};
  #isPaused = false;

  static async start(
    config: AcpAgentOptions,
    cwd: string,
    requests: AgentRequests,
    { startMs }: AcpTimeouts,
    signal: AbortSignal,
    confine?: AgentChatOptions['confine'],
  ): Promise<LiveAgent> {
    const live = new LiveAgent(await AgentProcess.start(config, cwd, confine), requests);
    if (signal.aborted) void live.kill();
    // The chat may be closed before the agent has started.
    signal.addEventListener('abort', () => void live.kill(), { once: true });
    const { fs = true, terminal = true } = config;
    try {
      const answer = await live.request(
        'initialize',
        {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: {
            fs: { readTextFile: fs, writeTextFile: fs },
            terminal,
            elicitation: { form: {} },
            session: { configOptions: { boolean: {} } },
          },
          clientInfo: { name: 'moorage', title: 'moorage', version: VERSION },
        },
        startMs,
      );
      live.#answer = fields(answer);
      refuseOtherVersion(live.#answer.protocolVersion);
      live.#habits = habitsOf(config.command, live.#answer);
    } catch (error) {
      const { stderr } = live;
      await live.kill();
      const why = error instanceof Ended ? error.message : live.explain(error);
      config.log?.write('warn', 'agent.start-failed', 'starting an agent failed', { agent: config.id, why, stderr });
      const kind = error instanceof TooOld ? 'agentTooOld' : 'agentNotStarted';
      throw new AgentError(kind, `${nameOf(config)} could not be started: ${why}${lastLine(stderr)}`);
    }
    return live;
  }

  private constructor(process: AgentProcess, requests: AgentRequests) {
    this.#process = process;
    this.#connection = connectAgent(process, requests);
    this.ended = process.exited;
    // An agent whose output cannot be read any more is of no use.
    void this.#connection.closed.then(() => process.kill());
    void process.exited.then(() => this.#connection.close());
  }

  get capabilities(): Fields {
    return fields(this.#answer.agentCapabilities);
  }

  get countsWholeSession(): boolean {
    return this.#habits.countsWholeSession === true;
  }

  get takesProgramServers(): boolean {
    return !this.#habits.takesNoPrograms;
  }

  get takesHttpServers(): boolean {
    return fields(this.capabilities.mcpCapabilities).http === true;
  }

  get canResume(): boolean {
    return 'resume' in fields(this.capabilities.sessionCapabilities);
  }

  get takesSeveralFolders(): boolean {
    return fields(this.capabilities.sessionCapabilities).additionalDirectories instanceof Object;
  }

  get canList(): boolean {
    return 'list' in fields(this.capabilities.sessionCapabilities);
  }

  get canLoad(): boolean {
    return this.capabilities.loadSession === true && !this.#habits.replaysLate;
  }

  /** How to log in, in the agent's own words. */
  get loginHint(): string {
    const [first] = list(this.#answer.authMethods).map(fields);
    return label(first?.description) ?? label(first?.name) ?? 'log in with its own program';
  }

  get stderr(): string {
    return this.#process.stderr;
  }

  /** The last line of its standard error, to be added to a sentence for the user. */
  get lastWords(): string {
    return lastLine(this.stderr);
  }

  /** Rejects with a RequestError of the agent, or with Ended. */
  async request(method: string, params: object, timeoutMs?: number): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const races: Promise<unknown>[] = [
      this.#connection.agent.request(method, params).catch(async (error: unknown) => {
        if (error instanceof RequestError) throw error;
        throw new Ended(await this.ended);
      }),
      this.ended.then((how) => Promise.reject(new Ended(how))),
    ];
    if (timeoutMs !== undefined) {
      races.push(
        new Promise((_, reject) => {
          timer = setTimeout(() => reject(new Ended(`no answer to ${method} within ${timeoutMs} ms`)), timeoutMs);
        }),
      );
    }
    try {
      return await Promise.race(races);
    } finally {
      clearTimeout(timer);
    }
  }

  notify(method: string, params: object): void {
    this.#connection.agent.notify(method, params).catch(() => {}); // it is gone
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Stops its program and all that it has started, or lets them go on. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#process.pause(isPaused);
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }

  async kill(): Promise<void> {
    this.#process.kill();
    await this.ended;
  }

  /** An agent's error in words for the user, and without secrets. */
  explain(error: unknown): string {
    const { message, data } = fields(error);
    const said = error instanceof Error ? error.message : String(message);
    const details = label(fields(data).details) ?? label(fields(data).message) ?? label(data);
    return this.#process.redact(details && details !== said ? `${said}: ${details}` : said);
  }
}

/** The agent is gone, or does not answer. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

class TooOld extends Ended {}

/** An agent that cannot speak our version answers with the newest one that it can. */
function refuseOtherVersion(version: unknown): void {
  if (typeof version !== 'number' || version === PROTOCOL_VERSION) return;
  const speaks = `it speaks version ${version} of the Agent Client Protocol, and moorage speaks ${PROTOCOL_VERSION}`;
  if (version < PROTOCOL_VERSION) throw new TooOld(`${speaks}: it is too old; update it`);
  throw new Ended(`${speaks}: it is too new; update moorage`);
}

function lastLine(stderr: string): string {
  const line = label(stderr.trimEnd().split('\n').at(-1), MAX_LAST_WORDS_CHARS);
  return line ? ` (it wrote: ${line})` : '';
}

/** UTF-16 units of standard error in a sentence for the user. */
const MAX_LAST_WORDS_CHARS = 300;
