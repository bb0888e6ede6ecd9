import type { AgentTerminal, AgentTree, AgentTurn } from '@moorage/host/ports';
import type { Lock } from '../../shared/lock.js';
import type { ChatGrants } from '../approval/grants.js';
import type { Protocol } from '../endpoint/protocol.js';
import type { Conversation } from '../history/conversation.js';
import type { SavedStep } from '../history/saved-state.js';
import type { ModelAgentOptions, ModelClock, ModelEndpoint } from '../options.js';

/** What the turns of one chat share. */
export interface ChatContext {
  readonly options: ModelAgentOptions;
  readonly protocol: Protocol;
  readonly clock: ModelClock;
  readonly files: AgentTree;
  readonly workingDirectory: string | undefined;
  readonly additionalDirectories: readonly string[];
  readonly conversation: Conversation;
  readonly grants: ChatGrants;
  readonly editing: Lock;
  readonly background: Map<string, AgentTerminal>;
  /** Models that have turned out to take no tools. */
  readonly withoutTools: Set<string>;
  /** What the chat has cost so far. */
  readonly account: { cost: number };
  /** The id of the model for a turn. */
  modelFor(turn: AgentTurn): string;
  /** Tokens that fit into its context window, if anybody says. */
  windowFor(turn: AgentTurn): number | undefined;
  /** The endpoint, with the credentials that a turn has now. */
  endpoint(turn: AgentTurn): ModelEndpoint;
  setTitle(title: string): void;
  /** The step that was waiting when the host was restarted. */
  readonly savedStep: SavedStep | undefined;
  /** Saves what is needed to continue after a restart. */
  save(step?: SavedStep): void;
}
