import type {
  AgentInfo,
  AgentSelection,
  ChatInputAnswer,
  ChatInputRequest,
  ConfirmationOption,
  ContentRef,
  ErrorInfo,
  FileEdit,
  Message,
  ModelSelection,
  SessionConfigSchema,
  StringOrMarkdown,
  ToolCallContributor,
  ToolCallResult,
  ToolDefinition,
  ToolResultContent,
  Turn,
  URI,
  UsageInfo,
} from '@ahpd/protocol';
import type { AgentTree } from './agent-files.js';
import type { AgentTokens } from './agent-tokens.js';
import type { AgentCustomizations } from './customizations.js';
import type { McpLaunch, McpSample, McpSampling, McpTool } from './mcp.js';

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
  setTitle(title: string): void;
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

export type TurnOutcome =
  | { readonly kind: 'complete' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'error'; readonly error: ErrorInfo };

/** One turn, as the agent sees it: what is asked, and everything it may do meanwhile. */
export interface AgentTurn {
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
  /** Tools of the session's active client, which this agent may call with `callClientTool`. */
  readonly clientTools: readonly ToolDefinition[];
  /** Tokens for what this agent declares as protected. */
  readonly tokens: AgentTokens;
  /** What is enabled for the session now: rules, skills, prompts and custom agents. */
  customizations(): Promise<AgentCustomizations>;
  /** Tools of the session's MCP servers that work now, which this agent may call with `callMcpTool`. */
  readonly mcpTools: readonly AgentMcpTool[];
  emit(event: AgentEvent): void;
  /**
   * Asks the user about a tool call. It may be the first time that the call is mentioned. A call that waits already,
   * or was answered meanwhile, is not asked about twice. When `withdrawn` aborts, nobody is asked any more: skipped.
   */
  confirm(request: ToolConfirmation, withdrawn?: AbortSignal): Promise<ToolDecision>;
  /** Asks the user whether the agent may use the result of a call, which is then complete either way. */
  confirmResult(toolCallId: string, result: ToolCallResult): Promise<{ approved: boolean }>;
  /** Asks the user something. A request with this id that is open already is not asked twice. `withdrawn`: as above. */
  ask(request: ChatInputRequest, withdrawn?: AbortSignal): Promise<InputOutcome>;
  /** Runs a tool of the active client as a tool call of this turn, from its start to its result: emit nothing for it. */
  callClientTool(call: { toolCallId: string; name: string; input: string }): Promise<ToolCallResult>;
  /**
   * Runs a tool of an MCP server as a tool call of this turn, from its start to its result: emit nothing for it. The user
   * is asked first, unless the tool only reads or the call says that it is allowed.
   */
  callMcpTool(call: McpCallRequest): Promise<McpCallOutcome>;
  /** The user's steering message, taken: it is shown as consumed. Undefined when there is none. */
  takeSteering(): Message | undefined;
  /** Runs a message in a new chat of the session and waits for it. The tool call must have been emitted. */
  spawn(request: { toolCallId: string; title: string; message: string }): Promise<SpawnedChat>;
  /**
   * Runs a command in a terminal of the host that everybody can watch. The call claims it; to be shown there, the call's
   * content must name it. Cancelling the turn ends it. Rejects with an AgentError when it cannot be had.
   */
  createTerminal(request: TerminalRequest): Promise<AgentTerminal>;
  /** Claims a terminal again that the session still holds and that no call uses. */
  attachTerminal(request: { toolCallId?: string; resource: URI }): Promise<AgentTerminal>;
  /** Stores content durably and gives the reference under which every client can read it. */
  storeContent(content: string | Uint8Array, contentType?: string): ContentRef;
}

/** A tool of an MCP server; together the two names are unique in a session. */
export interface AgentMcpTool extends McpTool {
  readonly server: string;
}

export interface McpCallRequest {
  readonly toolCallId: string;
  readonly server: string;
  readonly name: string;
  /** JSON text of an object. */
  readonly input: string;
  /** The user has allowed such calls before. */
  readonly isAllowed?: boolean;
  /** What the user can choose when asked; without them approve and deny. */
  readonly options?: ConfirmationOption[];
  /** Called when the tool is about to be called, which cannot be taken back. */
  onStart?(): void;
}

export type McpCallOutcome =
  | { readonly kind: 'done'; readonly result: ToolCallResult; readonly option?: ConfirmationOption }
  | { readonly kind: 'denied'; readonly decision: Extract<ToolDecision, { approved: false }> };

/** What happens in a turn. Text goes on in the open part of its kind until something else is emitted. */
export type AgentEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'contentRef'; readonly content: ContentRef }
  | { readonly kind: 'notice'; readonly text: StringOrMarkdown }
  | { readonly kind: 'usage'; readonly usage: UsageInfo }
  | ({ readonly kind: 'toolCallStart' } & ToolCallIdentity)
  | {
      readonly kind: 'toolCallInput';
      readonly toolCallId: string;
      readonly text: string;
      readonly progress?: StringOrMarkdown;
    }
  /** The call runs without asking anybody. */
  | ({ readonly kind: 'toolCallRunning'; readonly confirmed?: 'not-needed' | 'setting' } & ToolCallDescription)
  | { readonly kind: 'toolCallContent'; readonly toolCallId: string; readonly content: ToolResultContent[] }
  | { readonly kind: 'toolCallDone'; readonly toolCallId: string; readonly result: ToolCallResult };

export interface ToolCallIdentity {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly displayName: string;
  readonly contributor?: ToolCallContributor;
  readonly meta?: Record<string, unknown>;
}

export interface ToolCallDescription {
  readonly toolCallId: string;
  readonly invocationMessage: StringOrMarkdown;
  readonly toolInput?: string;
  readonly meta?: Record<string, unknown>;
}

export interface ToolConfirmation extends ToolCallDescription {
  /** Needed when the call was not started by an event before. */
  readonly identity?: ToolCallIdentity;
  readonly title?: StringOrMarkdown;
  readonly edits?: FileEdit[];
  readonly editable?: boolean;
  /** Without options the user gets approve and deny. */
  readonly options?: ConfirmationOption[];
}

export type ToolDecision =
  | { readonly approved: true; readonly toolInput?: string; readonly option?: ConfirmationOption }
  | {
      readonly approved: false;
      readonly reason: 'denied' | 'skipped' | 'cancelled';
      readonly option?: ConfirmationOption;
      readonly message?: StringOrMarkdown;
      readonly suggestion?: Message;
    };

export type InputOutcome =
  | { readonly response: 'accept'; readonly answers: Readonly<Record<string, ChatInputAnswer>> }
  | { readonly response: 'decline' | 'cancel' };

export interface SpawnedChat {
  readonly chat: URI;
  readonly outcome: TurnOutcome;
  /** The text that the sub-agent said. */
  readonly text: string;
}

export interface TerminalRequest {
  /** The call that uses it, if there is one already. */
  readonly toolCallId?: string | undefined;
  /** A command line for a shell; with `args` a program, which gets them as they are. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to what every terminal of the host gets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** An absolute path within the folders of the host; without it the chat's. */
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
  /** UTF-16 units of output that `output` gives at most, the newest. */
  readonly outputLimit?: number | undefined;
}

/** A terminal as the agent sees it that runs something in it. */
export interface AgentTerminal {
  readonly resource: URI;
  /** What was written so far, escape sequences included. */
  output(): TerminalOutput;
  /** How it ended, or that the user let the call go on without it: then it runs in the background. */
  wait(): Promise<TerminalOutcome>;
  /** Ends the program; the terminal stays to be looked at. */
  kill(): void;
  /** The agent has no more use for it: no call claims it any more. What still runs goes on in the background. */
  release(): void;
}

export interface TerminalOutput {
  readonly output: string;
  /** Older output is missing. */
  readonly truncated: boolean;
  readonly exitCode?: number;
}

export type TerminalOutcome =
  /** As shells count: 128 and the number of the signal that ended it. */
  | { readonly kind: 'exited'; readonly exitCode: number; readonly signal?: number }
  | { readonly kind: 'detached' }
  /** Somebody disposed of the terminal. */
  | { readonly kind: 'disposed' };

/** Why an agent cannot serve. The message says what the user can do; it reaches clients. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly errorType: string;

  constructor(errorType: string, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.errorType = errorType;
  }
}
