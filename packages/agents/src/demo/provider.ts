import { fileURLToPath } from 'node:url';
import {
  type AgentChat,
  type AgentChatOptions,
  type AgentCommand,
  AgentError,
  type AgentProvider,
  type Log,
} from '@moorage/host/ports';
import type { AgentInfo, Timers } from '@moorage/protocol';
import { SYSTEM_TIMERS } from '../shared/system-timers.js';
import { LocalChat } from './local-chat.js';
import { DemoMemory } from './memory.js';
import { ProcessChat } from './process/process-chat.js';
import { SYNTAX } from './script/syntax.js';

/** Where the demo agent runs. */
export interface DemoAgentOptions {
  /** `process` (the default) runs each chat in a process of its own, `none` in this one, for tests and embedding. */
  readonly isolation?: 'process' | 'none';
  /** Gets what a process wrote before it died. */
  readonly log?: Log;
}

/** What only tests replace. */
export interface DemoAgentInternals {
  readonly timers: Timers;
  /** The program of the agent's process. */
  readonly script: string;
}

const INFO: AgentInfo = {
  provider: 'demo',
  displayName: 'Demo',
  description: 'Needs no model: follows the steps in your message, such as `/write hello.txt Hello`.',
  models: [{ id: 'script', provider: 'demo', name: 'Script' }],
};

const DEFAULTS: DemoAgentInternals = {
  timers: SYSTEM_TIMERS,
  script: fileURLToPath(new URL('./process/child.js', import.meta.url)),
};

export class DemoProvider implements AgentProvider {
  readonly info: AgentInfo = INFO;
  readonly resumesTurns = true;
  readonly takesSeveralFolders = true;
  /** It runs commands in terminals of the host, and changes files through the host. */
  readonly isConfinable = true;
  readonly commands: readonly AgentCommand[] = [...SYNTAX].map(([name, { usage, summary }]) => ({
    name,
    description: summary,
    hint: usage.slice(name.length + 1).trim(),
  }));
  readonly #options: DemoAgentOptions;
  readonly #internals: DemoAgentInternals;
  readonly #memory = new DemoMemory();
  readonly #chats = new Set<AgentChat>();
  #disposed = false;

  constructor(options: DemoAgentOptions, internals: Partial<DemoAgentInternals> = {}) {
    this.#options = options;
    this.#internals = { ...DEFAULTS, ...internals };
  }

  async openChat(options: AgentChatOptions): Promise<AgentChat> {
    if (this.#disposed) throw new AgentError('agentDisposed', 'The demo agent has been shut down.');
    const chat = this.#chat(options);
    this.#chats.add(chat);
    const dispose = () => {
      this.#chats.delete(chat);
      return chat.dispose();
    };
    return { prompt: (turn) => chat.prompt(turn), rewind: (history) => chat.rewind(history), dispose };
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await Promise.all([...this.#chats].map((chat) => chat.dispose()));
    this.#chats.clear();
  }

  #chat(options: AgentChatOptions): AgentChat {
    const { chat, workingDirectory, host, files } = options;
    const memory = this.#memory.openChat(options);
    if (this.#options.isolation === 'none') return new LocalChat(options, memory);
    const { log } = this.#options;
    return new ProcessChat({ ...this.#internals, label: chat, workingDirectory, host, files, memory, log });
  }
}
