import {
  type AgentChat,
  type AgentChatOptions,
  AgentError,
  type AgentProvider,
  type EarlierSessions,
} from '@moorage/host/ports';
import { type AgentInfo, type AgentState, ExtensionMeta, type SessionConfigSchema } from '@moorage/protocol';
import { metadataOf } from '../protected-resource.js';
import { findProgram } from '../shared/find-program.js';
import { Lock } from '../shared/lock.js';
import type { AcpChat } from './chat/acp-chat.js';
import type { Learnt } from './chat/learn-settings.js';
import { type AcpAgentOptions, nameOf } from './config.js';
import { AgentMemory } from './memory.js';
import { type AcpTimeouts, DEFAULT_TIMEOUTS } from './timeouts.js';

/** Runs an ACP agent, with one process for each chat. */
export class AcpProvider implements AgentProvider {
  readonly #options: AcpAgentOptions;
  readonly #timeouts: AcpTimeouts;
  readonly #memory: AgentMemory;
  readonly #chats = new Set<AcpChat>();
  readonly #listeners: (() => void)[] = [];
  readonly #starts = new Lock();
  /** Why the agent cannot be used, as far as we know. */
  #problem: Problem | undefined;
  #disposed = false;
  readonly isConfinable = true;
  #takesSeveralFolders = false;
  /** The agent is being asked for its settings. */
  #learning: Promise<void> | undefined;
  /** From this time on, in milliseconds, the agent may be asked for its settings again. */
  #learnAfter = 0;
  readonly #end = new AbortController();
  readonly #installCheck: NodeJS.Timeout;

  constructor(options: AcpAgentOptions, timeouts: Partial<AcpTimeouts> = {}) {
    this.#options = options;
    this.#timeouts = { ...DEFAULT_TIMEOUTS, ...timeouts };
    this.#memory = new AgentMemory(options.memoryFile);
    let wasInstalled = this.#isInstalled;
    if (!wasInstalled) this.#problem = this.#missing;
    this.#installCheck = setInterval(() => {
      const isInstalled = this.#isInstalled;
      if (isInstalled === wasInstalled) return;
      wasInstalled = isInstalled;
      this.#problem = isInstalled ? undefined : this.#missing;
      this.#tell();
    }, this.#timeouts.installedMs).unref();
  }

  get isOffered(): boolean {
    return this.#options.ifInstalled !== true || this.#isInstalled;
  }

  get info(): AgentInfo {
    const { id, description = 'An agent that speaks the Agent Client Protocol.', auth } = this.#options;
    return {
      provider: id,
      displayName: nameOf(this.#options),
      description: this.#problem === undefined ? description : `Cannot be used now: ${this.#problem.message}`,
      models: this.#isInstalled ? this.#memory.models(id) : [],
      ...(auth && { protectedResources: [metadataOf(auth)] }),
      _meta: { [ExtensionMeta.agentState]: this.#problem?.state ?? 'ready' },
    };
  }

  get sessionConfig(): SessionConfigSchema['properties'] {
    return this.#memory.sessionConfig;
  }

  /** Without this, the first session with an agent could not choose its mode. */
  learnSettings(cwd: string): Promise<void> | undefined {
    // An agent with a token of its clients cannot be started without one.
    if (this.#disposed || this.#memory.isFilled || this.#options.auth || !this.#isInstalled) return undefined;
    if (!this.#learning && Date.now() < this.#learnAfter) return undefined;
    this.#learning ??= this.#starts
      .run(() => this.#learn(cwd))
      .finally(() => {
        this.#learning = undefined;
      });
    return this.#learning;
  }

  async #learn(cwd: string): Promise<void> {
    const { startMs, sessionMs } = this.#timeouts;
    const timeouts = {
      ...this.#timeouts,
      startMs: Math.min(startMs, LEARN_MS),
      sessionMs: Math.min(sessionMs, LEARN_MS),
    };
    try {
      const { learnSettings } = await import('./chat/learn-settings.js');
      this.#learnt(await learnSettings(this.#options, cwd, timeouts, this.#end.signal));
      this.#learnAfter = Number.POSITIVE_INFINITY;
      this.#setProblem(undefined);
    } catch (error) {
      if (error instanceof AgentError && !this.#disposed) this.#setProblem(problemOf(error));
      this.#learnAfter = Date.now() + LEARN_AGAIN_MS;
      const why = error instanceof Error ? error.message : String(error);
      this.#options.log?.write('warn', 'agent.settings-unreadable', 'reading the settings of an agent failed', {
        agent: this.#options.id,
        why,
      });
    }
  }

  #learnt({ settings, takesSeveralFolders }: Learnt): void {
    const isNew = this.#memory.learn(settings) || takesSeveralFolders !== this.#takesSeveralFolders;
    this.#takesSeveralFolders = takesSeveralFolders;
    if (isNew) this.#tell();
  }

  /** Known once it has run since the host started. */
  get takesSeveralFolders(): boolean {
    return this.#takesSeveralFolders;
  }

  onInfoChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  get earlierSessions(): EarlierSessions {
    const options = (cwd: string) => {
      const name = nameOf(this.#options);
      if (!this.#isInstalled) throw new AgentError('agentNotStarted', this.#missing.message);
      // It would have to be started with the token of a client, which only turns have.
      if (this.#options.auth)
        throw new AgentError('authRequired', `${name} needs a token, and so cannot be asked here.`);
      return { config: this.#options, cwd, timeouts: this.#timeouts, signal: this.#end.signal };
    };
    return {
      list: (folder) =>
        this.#starts.run(async () => (await import('./chat/earlier-sessions.js')).listEarlier(options(folder))),
      read: (folder, id) =>
        this.#starts.run(async () => (await import('./chat/earlier-sessions.js')).readEarlier(options(folder), id)),
      resumeState: (sessionId) => ({ sessionId }),
    };
  }

  async openChat(chat: AgentChatOptions): Promise<AgentChat> {
    const name = nameOf(this.#options);
    if (this.#disposed) throw new AgentError('agentDisposed', `${name} has been shut down.`);
    const { workingDirectory: cwd } = chat;
    if (cwd === undefined) {
      throw new AgentError('noFolder', `${name} works in a folder. Make a session with a working directory.`);
    }
    if (!this.#isInstalled) {
      this.#setProblem(this.#missing);
      throw new AgentError('agentNotStarted', this.#missing.message);
    }
    // Loaded late, because a host that starts has no use for the protocol's schemas yet.
    const { AcpChat } = await import('./chat/acp-chat.js');
    const opened = new AcpChat({
      agent: this.#options,
      chat,
      cwd,
      timeouts: this.#timeouts,
      starts: this.#starts,
      onLearnt: (learnt) => this.#learnt(learnt),
    });
    this.#chats.add(opened);
    return {
      prompt: (turn) => this.#watching(opened.prompt(turn)),
      rewind: (history) => opened.rewind(history),
      pause: (isPaused) => opened.pause(isPaused),
      dispose: () => {
        this.#chats.delete(opened);
        return opened.dispose();
      },
    };
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    clearInterval(this.#installCheck);
    this.#end.abort();
    await this.#learning;
    await Promise.all([...this.#chats].map((chat) => chat.dispose()));
    this.#chats.clear();
  }

  /** Only starting an agent shows whether it can be started. */
  async #watching<T>(prompt: Promise<T>): Promise<T> {
    try {
      const outcome = await prompt;
      this.#setProblem(undefined);
      return outcome;
    } catch (error) {
      if (error instanceof AgentError && error.errorType !== 'agentSilent') this.#setProblem(problemOf(error));
      throw error;
    }
  }

  get #isInstalled(): boolean {
    const { command, env } = this.#options;
    return findProgram(command, env?.PATH) !== undefined;
  }

  get #missing(): Problem {
    const { command } = this.#options;
    const message = `The program "${command}" of ${nameOf(this.#options)} was not found. Install it, or correct its command in the configuration.`;
    return { state: 'not installed', message };
  }

  #setProblem(problem: Problem | undefined): void {
    if (problem?.message === this.#problem?.message) return;
    this.#problem = problem;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Why an agent cannot be used now. */
interface Problem {
  readonly state: AgentState;
  readonly message: string;
}

const STATES: Readonly<Record<string, AgentState>> = { authRequired: 'not logged in', agentTooOld: 'too old' };

function problemOf({ errorType, message }: AgentError): Problem {
  return { state: STATES[errorType] ?? 'cannot be used', message };
}

/** Milliseconds that somebody may wait for an agent to start only to name its settings, and then to make a session. */
const LEARN_MS = 15_000;

/** Milliseconds before an agent that could not be started is asked for its settings again. */
const LEARN_AGAIN_MS = 60_000;
