import type { AgentChat, AgentChatOptions, AgentTerminal, AgentTurn, TurnOutcome } from '@moorage/host/ports';
import type { Turn } from '@moorage/protocol';
import { Lock } from '../shared/lock.js';
import { SYSTEM_TIMERS } from '../shared/system-timers.js';
import type { ChatGrants, Grants } from './approval/grants.js';
import { endpointFor } from './endpoint/endpoint-for.js';
import type { OfferedModels } from './endpoint/offered-models.js';
import { loadProtocol, type Protocol } from './endpoint/protocol.js';
import { Conversation } from './history/conversation.js';
import { exchangesOf } from './history/from-turns.js';
import { readSavedState, type SavedState, type SavedStep } from './history/saved-state.js';
import type { ChatContext } from './loop/chat-context.js';
import { runTurn } from './loop/run-turn.js';
import { costSoFar } from './loop/usage.js';
import type { ModelAgentOptions } from './options.js';

/** A conversation with a model. It runs in the host's process, since everything it does goes through the host's ports. */
export class ModelChat implements AgentChat {
  readonly #options: ModelAgentOptions;
  readonly #protocol: Protocol;
  readonly #offered: OfferedModels;
  readonly #chat: AgentChatOptions;
  readonly #grants: ChatGrants;
  readonly #editing = new Lock();
  readonly #background = new Map<string, AgentTerminal>();
  readonly #withoutTools = new Set<string>();
  readonly #account: { cost: number };
  readonly #savedStep: SavedStep | undefined;
  #conversation: Conversation;

  /** Loads what chats with such an endpoint need. */
  static readonly load = loadProtocol;

  static async open(
    options: ModelAgentOptions,
    offered: OfferedModels,
    chat: AgentChatOptions,
    grants: Grants,
  ): Promise<ModelChat> {
    const saved = readSavedState(chat.resumeState);
    const conversation = new Conversation(await exchangesOf(chat.history, chat.files), saved.summary);
    const protocol = await loadProtocol(options.api);
    return new ModelChat(options, protocol, offered, chat, grants.openChat(chat), conversation, saved.step);
  }

  private constructor(
    options: ModelAgentOptions,
    protocol: Protocol,
    offered: OfferedModels,
    chat: AgentChatOptions,
    grants: ChatGrants,
    conversation: Conversation,
    savedStep: SavedStep | undefined,
  ) {
    this.#options = options;
    this.#protocol = protocol;
    this.#offered = offered;
    this.#chat = chat;
    this.#grants = grants;
    this.#account = { cost: costSoFar(chat.history) };
    this.#conversation = conversation;
    this.#savedStep = savedStep;
  }

  prompt(turn: AgentTurn): Promise<TurnOutcome> {
    return runTurn(turn, this.#context());
  }

  async rewind(history: readonly Turn[]): Promise<void> {
    this.#conversation = new Conversation(await exchangesOf(history, this.#chat.files), this.#conversation.summary);
  }

  /** Requests are aborted by the signal of their turn; nothing else needs closing. */
  async dispose(): Promise<void> {}

  #context(): ChatContext {
    const { files, workingDirectory, additionalDirectories = [], host } = this.#chat;
    return {
      options: this.#options,
      protocol: this.#protocol,
      clock: this.#options.clock ?? SYSTEM_TIMERS,
      files,
      workingDirectory,
      additionalDirectories,
      conversation: this.#conversation,
      grants: this.#grants,
      editing: this.#editing,
      background: this.#background,
      withoutTools: this.#withoutTools,
      account: this.#account,
      modelFor: (turn) => this.#offered.choose(turn.model),
      windowFor: (turn) => this.#offered.windowOf(this.#offered.choose(turn.model)),
      endpoint: (turn) => ({ ...endpointFor(this.#options, turn), listed: this.#offered.listed }),
      setTitle: (title) => host.setTitle(title),
      savedStep: this.#savedStep,
      save: (step) => this.#save(step),
    };
  }

  #save(step: SavedStep | undefined): void {
    const { summary } = this.#conversation;
    const state: SavedState = { ...(summary && { summary }), ...(step && { step }) };
    this.#chat.host.saveResumeState(state);
  }
}
