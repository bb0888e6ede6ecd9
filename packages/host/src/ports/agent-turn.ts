import type { AgentSelection, ContentRef, Message, ModelSelection, URI } from '@ahpd/protocol';
import type { TurnOutcome } from './agent.js';
import type { AgentEvent } from './agent-events.js';
import type { AgentQuestions } from './agent-questions.js';
import type { AgentTerminals } from './agent-terminals.js';
import type { AgentTokens } from './agent-tokens.js';
import type { AgentTools } from './agent-tools.js';
import type { AgentCustomizations } from './customizations.js';

/** One turn, as the agent sees it: what is asked, and everything it may do meanwhile. */
export interface AgentTurn extends AgentQuestions, AgentTools, AgentTerminals {
  readonly turnId: string;
  readonly message: Message;
  /** The turn was under way in an earlier life of the host and waits for the user; what it emitted is still there. */
  readonly resumed: boolean;
  readonly model?: ModelSelection | undefined;
  readonly agent?: AgentSelection | undefined;
  /** The values of the session's configuration when the turn began. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Aborted when the user cancels, the chat is truncated or disposed, or the host stops. */
  readonly signal: AbortSignal;
  /** Tokens for what this agent declares as protected. */
  readonly tokens: AgentTokens;
  /** What is enabled for the session now: rules, skills, prompts and custom agents. */
  customizations(): Promise<AgentCustomizations>;
  emit(event: AgentEvent): void;
  /** The user's steering message, taken: it is shown as consumed. Undefined when there is none. */
  takeSteering(): Message | undefined;
  /** Runs a message in a new chat of the session and waits for it. The tool call must have been emitted. */
  spawn(request: { toolCallId: string; title: string; message: string }): Promise<SpawnedChat>;
  /** Stores content durably and gives the reference under which every client can read it. */
  storeContent(content: string | Uint8Array, contentType?: string): ContentRef;
}

/** The chat of a sub-agent, and how its work ended. */
export interface SpawnedChat {
  readonly chat: URI;
  readonly outcome: TurnOutcome;
  /** The text that the sub-agent said. */
  readonly text: string;
}
