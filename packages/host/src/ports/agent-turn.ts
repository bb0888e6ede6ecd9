import type { AgentSelection, ContentRef, Message, ModelSelection, URI } from '@moorage/protocol';
import type { TurnOutcome } from './agent.js';
import type { AgentEvent } from './agent-events.js';
import type { AgentQuestions } from './agent-questions.js';
import type { AgentTerminals } from './agent-terminals.js';
import type { AgentTokens } from './agent-tokens.js';
import type { AgentTools } from './agent-tools.js';
import type { AgentCustomizations } from './customizations.js';

/**
 * One turn as the agent sees it: the message, and everything the agent may do while it runs. Valid until `prompt` settles or
 * `signal` aborts; after that `emit` is ignored and questions are answered as cancelled.
 */
export interface AgentTurn extends AgentQuestions, AgentTools, AgentTerminals {
  /** Unique within the chat. */
  readonly turnId: string;
  /** What the turn answers. */
  readonly message: Message;
  /**
   * The turn began before the host restarted and waits for the user; its earlier output is still there. The agent must ask
   * again under the same ids. Only for providers with `resumesTurns`.
   */
  readonly resumed: boolean;
  /** The model that the user selected, if any. */
  readonly model?: ModelSelection | undefined;
  /** The custom agent that the user selected, if any. */
  readonly agent?: AgentSelection | undefined;
  /** The values of the session's configuration when the turn began. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Aborted when the user cancels, the chat is truncated or disposed, or the host stops. */
  readonly signal: AbortSignal;
  /** Tokens for the resources that this agent declares as protected. */
  readonly tokens: AgentTokens;
  /** What is enabled for the session now: rules, skills, prompts and custom agents. */
  customizations(): Promise<AgentCustomizations>;
  /** Says something: text, thoughts, tool calls, usage. In order, and never blocks. */
  emit(event: AgentEvent): void;
  /**
   * Resolves once the agent may act: when it is recorded how the files are, for providers with `awaitsGoAhead`; when a host that had
   * lost its fleet goes on (`Host.pause`); and when the turn is over. To be awaited before anything is done that is not asked
   * for through this interface. Rejects if the files cannot be recorded.
   */
  goAhead(): Promise<void>;
  /** Takes the user's steering message, which clients then see as consumed. Undefined when there is none. */
  takeSteering(): Message | undefined;
  /**
   * Runs a message in a new chat of the session, as a sub-agent, and waits for the end of its turn. The tool call must have
   * been started. Rejects with an AgentError when the limits of chats or nesting are reached, or the turn is over.
   */
  spawn(request: { toolCallId: string; title: string; message: string }): Promise<SpawnedChat>;
  /** Stores content durably and returns a reference that every client can read. */
  storeContent(content: string | Uint8Array, contentType?: string): ContentRef;
}

/** The chat of a sub-agent, and how its turn ended. */
export interface SpawnedChat {
  /** The URI of the new chat. */
  readonly chat: URI;
  /** How its turn ended. */
  readonly outcome: TurnOutcome;
  /** The text of the sub-agent's answer. */
  readonly text: string;
}
