import type { AgentInfo, ErrorInfo, ModelSelection, SessionConfigSchema, Turn, URI } from '@ahpd/protocol';
import type { AgentTree } from './agent-files.js';
import type { AgentTurn } from './agent-turn.js';
import type { McpLaunch, McpSample, McpSampling } from './mcp.js';

/** One kind of agent. It may be unable to start; then opening a chat rejects with an AgentError that says why. */
export interface AgentProvider {
  /**
   * Whether a turn that waits for the user survives a restart: after it the host calls `prompt` again with
   * `resumed`, and the agent asks again under the same ids. Without it such a turn ends with an error.
   */
  readonly resumesTurns?: boolean;
  /** What clients see in root state; `provider` is the id that sessions name. */
  readonly info: AgentInfo;
  /** What users may set for sessions of this agent, besides what the host offers; the values come with each turn. */
  readonly sessionConfig?: SessionConfigSchema['properties'];
  /** Commands that its users may write at the start of a message, before a chat says which ones it has. */
  readonly commands?: readonly AgentCommand[];
  /** Whether a message `/name` is taken for the prompt or skill of that name among the turn's customizations. */
  readonly invokesCustomizations?: boolean;
  /** Called when `info` changed: models were found, the program appeared or went away. */
  onInfoChanged?(listener: () => void): void;
  openChat(options: AgentChatOptions): Promise<AgentChat>;
  /** One answer of the agent's model to an MCP server that may use it; absent where there is no such model. */
  sample?(
    request: McpSampling,
    options: { readonly model: ModelSelection | undefined; readonly signal: AbortSignal },
  ): Promise<McpSample>;
  /** Ends every process of this provider; nothing of it outlives the returned promise. */
  dispose(): Promise<void>;
}

/** What an agent is told of a chat that it opens. */
export interface AgentChatOptions {
  readonly session: URI;
  readonly chat: URI;
  /** An absolute path, when the session has a folder. */
  readonly workingDirectory?: string | undefined;
  readonly config: Readonly<Record<string, unknown>>;
  /** The turns so far: to be given back as context when the agent cannot resume by itself. */
  readonly history: readonly Turn[];
  /** What `saveResumeState` got last, possibly in an earlier life of the host. */
  readonly resumeState?: unknown;
  /** What any chat of the session gave to `saveSessionState` last. */
  readonly sessionState?: unknown;
  readonly host: AgentChatHost;
  /** The files of the session's folder, at any time. */
  readonly files: AgentTree;
  /** The session's MCP servers that are switched on, for agents that run such servers themselves. Secrets are in it. */
  readonly mcpServers: readonly AgentMcpServer[];
}

/** An MCP server of the session, as an agent may run it. */
export interface AgentMcpServer {
  /** What calls of its tools are attributed to. */
  readonly id: string;
  readonly name: string;
  readonly launch: McpLaunch;
}

/** What a chat may tell its host at any time, also when no turn runs. */
export interface AgentChatHost {
  /** Something JSON that lets the agent take up this conversation again after a restart. Kept durably. */
  saveResumeState(state: unknown): void;
  /** The same for what all chats of the session have in common. */
  saveSessionState(state: unknown): void;
  /** Names the session, unless a user has named it. Outside of the default chat it counts only when the user asked for it. */
  setTitle(title: string, options?: { readonly isRequested?: boolean }): void;
  /** The agent has changed settings of the session by itself. What the session does not have is passed over. */
  setConfig(values: Readonly<Record<string, unknown>>): void;
  /** The commands that this chat has now, instead of those that were known before. */
  setCommands(commands: readonly AgentCommand[]): void;
  /** The agent talks after its turn ended: shown as a turn of its own. */
  say(text: string): void;
  /** The agent's process ended by itself; a running turn fails with this, the next prompt opens the chat again. */
  died(error: ErrorInfo): void;
}

/**
 * Marks an attachment that the host wrote out as text for agents: comments on code. Agents get no `annotations`
 * attachments, since they could not read what those name.
 */
export const COMMENTS_META = 'ahpd.comments';

/** Something that users ask of an agent by `/name` at the start of a message. */
export interface AgentCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description?: string | undefined;
  /** What may be written after it. */
  readonly hint?: string | undefined;
}

/** A conversation with an agent. The host never starts a second turn before the first has ended. */
export interface AgentChat {
  /** Runs a turn. Resolves when it is over, however it ended; after `turn.signal` aborted it must resolve soon. */
  prompt(turn: AgentTurn): Promise<TurnOutcome>;
  /** The conversation was cut: only these turns remain, and the agent must forget the others. */
  rewind(history: readonly Turn[]): Promise<void>;
  dispose(): Promise<void>;
}

/** How a turn ended. */
export type TurnOutcome =
  | { readonly kind: 'complete' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'error'; readonly error: ErrorInfo };

/** Why an agent cannot serve. The message says what the user can do; it reaches clients. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly errorType: string;

  constructor(errorType: string, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.errorType = errorType;
  }
}
