import type {
  AgentInfo,
  ErrorInfo,
  ModelSelection,
  SessionConfigSchema,
  Turn,
  URI,
  UsageInfo,
} from '@moorage/protocol';
import type { AgentTree } from './agent-files.js';
import type { AgentTurn } from './agent-turn.js';
import type { EarlierSessions } from './earlier-sessions.js';
import type { McpLaunch, McpSample, McpSampling } from './mcp.js';
import type { ConfinedLaunch, ConfinedProgram } from './sandbox.js';

/** One kind of agent. The host owns it: it opens chats as they are needed, and disposes of the provider when it stops. */
export interface AgentProvider {
  /**
   * Whether a turn that waits for the user survives a restart of the host. If so, the host calls `prompt` again with
   * `resumed`, and the agent must ask again under the same ids. If not, such a turn ends with an error.
   */
  readonly resumesTurns?: boolean;
  /**
   * What clients see of it in root state. `provider` is its id, of letters, digits, `_`, `.` and `-`; `displayName` must not be
   * empty.
   */
  readonly info: AgentInfo;
  /** False while clients are not told of it and no session may be made with it, because it is not installed. */
  readonly isOffered?: boolean;
  /** Settings of this agent's sessions, in addition to the host's own. Their values come with each turn. */
  readonly sessionConfig?: SessionConfigSchema['properties'];
  /**
   * Learns which settings sessions in a folder have, if that is not known yet; `sessionConfig` and `info` have them then.
   * Resolves in bounded time, also when they could not be learnt. Undefined when there is nothing to wait for.
   */
  learnSettings?(folder: string): Promise<void> | undefined;
  /**
   * Whether all programs that its chats start are started through the host, or as `AgentChatOptions.confine` says. If not,
   * its sessions cannot have a sandbox.
   */
  readonly isConfinable?: boolean;
  /** Whether its chats can work in `additionalDirectories`. If not, its sessions have one folder. */
  readonly takesSeveralFolders?: boolean;
  /**
   * Whether its turns await `AgentTurn.goAhead` before they change anything. They then begin while the files are still
   * being looked at; other agents have to wait.
   */
  readonly awaitsGoAhead?: boolean;
  /** Slash commands to offer until an open chat reports its own with `setCommands`. */
  readonly commands?: readonly AgentCommand[];
  /** Whether the agent treats a message `/name` as the prompt or skill of that name from `AgentTurn.customizations`. */
  readonly invokesCustomizations?: boolean;
  /** Registers a listener to be called whenever `info` or `isOffered` has changed, for example because models were found. */
  onInfoChanged?(listener: () => void): void;
  /** A session of it was made: loads what the first turn needs, without opening anything. May be called any number of times. */
  prepare?(): void;
  /**
   * Opens the agent's side of a chat. Called again for the same chat after `AgentChat.dispose`, `AgentChatHost.died` or a
   * failed `prompt`. Rejects with an AgentError when the agent cannot start; its message is shown to the user.
   */
  openChat(options: AgentChatOptions): Promise<AgentChat>;
  /** The sessions that it had without this host. Absent if it keeps none of its own. */
  readonly earlierSessions?: EarlierSessions;
  /** Lets an MCP server ask the agent's model one question. Absent when the agent has no model to lend. */
  sample?(
    request: McpSampling,
    options: { readonly model: ModelSelection | undefined; readonly signal: AbortSignal },
  ): Promise<McpSample>;
  /** Ends all chats and every process of this provider before it resolves. May be called more than once. */
  dispose(): Promise<void>;
}

/** What an agent gets when a chat is opened. */
export interface AgentChatOptions {
  /** The session that the chat belongs to. */
  readonly session: URI;
  /** The URI of the chat. */
  readonly chat: URI;
  /** The real, absolute path of the session's folder, if it has one: the first, if it has several. */
  readonly workingDirectory?: string | undefined;
  /** The real, absolute paths of its other folders. When they change, the chat is disposed of and opened again. */
  readonly additionalDirectories?: readonly string[];
  /** The values of the session's configuration. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The turns so far, as context for an agent that cannot resume by itself. */
  readonly history: readonly Turn[];
  /** What was last passed to `saveResumeState` for this chat, possibly before a restart. */
  readonly resumeState?: unknown;
  /** What any chat of the session last passed to `saveSessionState`. */
  readonly sessionState?: unknown;
  /**
   * What to start instead of a program, because the session has a sandbox. Rejects with an AgentError: nothing may be started
   * then. Absent if the session has none. Terminals of the host are confined by the host.
   */
  confine?(program: ConfinedProgram): Promise<ConfinedLaunch>;
  /** What the chat may tell the host outside of turns. */
  readonly host: AgentChatHost;
  /** The files of the session's folders. May be used at any time, also between turns. */
  readonly files: AgentTree;
  /** The session's enabled MCP servers, for agents that run such servers themselves. Contains secrets. */
  readonly mcpServers: readonly AgentMcpServer[];
}

/** An MCP server of the session, with what is needed to run it. */
export interface AgentMcpServer {
  /** Identifies the server as the contributor of its tool calls. */
  readonly id: string;
  /** Shown where the server is named. */
  readonly name: string;
  /** How to reach it. */
  readonly launch: McpLaunch;
}

/** What an agent may tell the host about a chat at any time, also between turns. */
export interface AgentChatHost {
  /** Durably stores a JSON value that lets the agent resume this conversation; replaces the last one. */
  saveResumeState(state: unknown): void;
  /** Durably stores a JSON value that all chats of the session share; replaces the last one. */
  saveSessionState(state: unknown): void;
  /** Names the session, unless a user has named it. Outside the default chat only what the user asked for counts. */
  setTitle(title: string, options?: { readonly isRequested?: boolean }): void;
  /** The agent changed settings of the session by itself. Unknown settings and invalid values are ignored. */
  setConfig(values: Readonly<Record<string, unknown>>): void;
  /** Replaces the slash commands of this chat. */
  setCommands(commands: readonly AgentCommand[]): void;
  /**
   * The agent says something between turns, and what it used for that; shown as a turn of its own. False while a turn runs,
   * and nothing is said: emit it there.
   */
  say(text: string, usage?: UsageInfo): boolean;
  /**
   * The agent's process ended by itself between two turns; the next prompt opens the chat again. During a turn, report it as
   * the outcome of `prompt` instead: this call does not end the turn.
   */
  died(error: ErrorInfo): void;
}

/** A slash command: users write `/name` at the start of a message. */
export interface AgentCommand {
  /** Without the slash. */
  readonly name: string;
  /** What it does. */
  readonly description?: string | undefined;
  /** Describes what may follow the name. */
  readonly hint?: string | undefined;
}

/** The agent's side of one chat. The host makes one call of `prompt` or `rewind` at a time. */
export interface AgentChat {
  /**
   * Runs a turn and resolves with how it ended; every tool call must be done by then, and nothing may be emitted after it.
   * Once `turn.signal` aborts, or if it is aborted from the start, it must resolve promptly as `cancelled`: an agent that does
   * not within 10 seconds is disposed of. If it rejects, the turn fails and the chat is
   * disposed of; the user sees the message of an AgentError, and a general one for any other error.
   */
  prompt(turn: AgentTurn): Promise<TurnOutcome>;
  /** The chat was truncated: only these turns remain, and the agent must forget the others. */
  rewind(history: readonly Turn[]): Promise<void>;
  /**
   * Stops all that the chat runs by itself, such as its program, and lets it go on. Absent from a chat that waits for
   * `AgentTurn.goAhead` before whatever it does.
   */
  pause?(isPaused: boolean): void;
  /**
   * Releases everything the chat holds. May be called while a cancelled turn has not resolved yet: that turn still ends, and not
   * as `complete`.
   */
  dispose(): Promise<void>;
}

/** How a turn ended. */
export type TurnOutcome =
  | { readonly kind: 'complete' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'error'; readonly error: ErrorInfo };

/** Why an agent cannot do what was asked. The message is shown to users, so it must say what to do and hold no secrets. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  /** A short identifier for programs, such as `providerNotFound`. */
  readonly errorType: string;

  constructor(errorType: string, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.errorType = errorType;
  }
}
