import type { AgentTerminal, AgentTree, AgentTurn } from '@ahpd/host/ports';
import type { LanguageModel } from 'ai';
import type { ChatGrants } from '../approval/grants.js';
import type { Conversation } from '../history/conversation.js';
import type { SavedStep } from '../history/saved-state.js';
import type { ModelAgentOptions, ModelClock, ModelEndpoint } from '../options.js';
import type { Lock } from '../tools/lock.js';

/** What turns of one chat share. */
export interface ChatContext {
  readonly options: ModelAgentOptions;
  readonly clock: ModelClock;
  readonly files: AgentTree;
  readonly workingDirectory: string | undefined;
  readonly conversation: Conversation;
  readonly grants: ChatGrants;
  readonly editing: Lock;
  readonly background: Map<string, AgentTerminal>;
  /** The id of the model that a turn is to use. */
  modelFor(turn: AgentTurn): string;
  /** What is asked, with the credentials that a turn has now. */
  endpoint(turn: AgentTurn): ModelEndpoint;
  languageModel(turn: AgentTurn, endpoint: ModelEndpoint): LanguageModel;
  setTitle(title: string): void;
  /** The step that an earlier life of the host left behind. */
  readonly savedStep: SavedStep | undefined;
  /** Keeps durably what the next life needs. */
  save(step?: SavedStep): void;
}
