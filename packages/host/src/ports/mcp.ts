import type { ProtectedResourceMetadata, ToolAnnotations } from '@moorage/protocol';

/** How an MCP server is started or reached. It may contain secrets, so it is never shown to anyone (B-235). */
export type McpLaunch =
  | {
      readonly kind: 'stdio';
      /** A path, or a name that is looked up on PATH. */
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      /** Added to a small environment (PATH and the like). A server must not inherit the rest of the host's. */
      readonly env?: Readonly<Record<string, string>> | undefined;
      /** An absolute path; `McpConnectOptions.folder` when absent. */
      readonly cwd?: string | undefined;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    };

/** Connects to MCP servers. Everything a server sends is untrusted: adapters must validate it and bound its size. */
export interface Mcp {
  /**
   * Starts or reaches a server and completes the handshake. Rejects only with an McpError; a program that was started has
   * ended by then.
   */
  connect(options: McpConnectOptions): Promise<McpConnection>;
}

export interface McpConnectOptions {
  /** How to reach the server. */
  readonly launch: McpLaunch;
  /** The absolute path of the folder to work in: the program's cwd, and the root that the server is told. */
  readonly folder?: string | undefined;
  /** The bearer token for an HTTP server. Called for every request, since the token may change. */
  token?(): string | undefined;
  /** Aborts the attempt to connect. Has no effect once connected. */
  readonly signal: AbortSignal;
  /** Answers what the server asks. */
  readonly handlers: McpHandlers;
}

/** Receives what a server asks and reports. The signals abort when the server no longer waits for the answer. */
export interface McpHandlers {
  /** Asks the user for the server. */
  elicit(request: McpElicitation, signal: AbortSignal): Promise<McpElicitationAnswer>;
  /** Absent when the server may not use the model; the capability is then not announced to it. */
  sample?: ((params: McpSampling, signal: AbortSignal) => Promise<McpSample>) | undefined;
  /** The server has other tools or resources than before. */
  listChanged(list: 'tools' | 'resources'): void;
  /**
   * Called once when the connection ends by itself; not after `close`, and not when `connect` rejects. The message has the exit
   * code of a program that ended.
   */
  closed(error: McpError): void;
}

/** A connected server. Every promise rejects only with an McpError, of kind `closed` once the connection has ended. */
export interface McpConnection {
  /** What the server has. */
  readonly offers: McpOffers;
  /** All tools of the server, up to the adapter's limit. */
  listTools(): Promise<readonly McpTool[]>;
  /** Calls a tool of the server. */
  callTool(call: McpToolCall): Promise<McpToolResult>;
  /** Sends any other request unchanged and resolves with the server's result. */
  request(method: string, params: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<object>;
  /** Resolves when the connection is closed and its program has ended. May be called more than once. */
  close(): Promise<void>;
}

/** The server's capabilities. */
export interface McpOffers {
  /** Present if it has tools. */
  readonly tools?: { readonly listChanged: boolean };
  /** Present if it has resources. */
  readonly resources?: { readonly listChanged: boolean };
  /** Whether it can be told how much to log. */
  readonly logging: boolean;
}

export interface McpTool {
  /** What the model calls it. */
  readonly name: string;
  /** Shown instead of `name`, which is for the model. */
  readonly title?: string;
  /** What it does, for the model. */
  readonly description?: string;
  /** A JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>> & { readonly type: 'object' };
  /** What it says of itself; nobody has checked that. */
  readonly annotations?: ToolAnnotations;
  /** The `_meta` of the tool. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface McpToolCall {
  /** The name of the tool. */
  readonly name: string;
  /** What the tool gets. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Aborting rejects the call and cancels it at the server. */
  readonly signal: AbortSignal;
  /** Called when the server says how far it is. */
  onProgress(progress: { readonly progress: number; readonly total?: number; readonly message?: string }): void;
}

export interface McpToolResult {
  /** The tool itself reported a failure, which `content` describes. */
  readonly isError: boolean;
  /** What the tool gave. */
  readonly content: readonly McpContent[];
  /** The same as data, as the tool's output schema says. */
  readonly structuredContent?: Record<string, unknown>;
}

/** A part of a tool's result, in a form that a chat can show. */
export type McpContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly base64: string; readonly contentType: string }
  | { readonly kind: 'link'; readonly uri: string; readonly title: string };

/** A form that the server asks the user to fill in. `schema` is a JSON Schema of a flat object. */
export interface McpElicitation {
  /** What it is about. */
  readonly message: string;
  /** The form, as JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What the user filled in, or that they declined. */
export type McpElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Record<string, string | number | boolean | string[]> }
  | { readonly action: 'decline' | 'cancel' };

/** A server's request to the model of a session. */
export interface McpSampling {
  /** Instructions for the model. */
  readonly system?: string;
  /** The conversation so far. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  /** The most tokens of the answer. */
  readonly maxTokens: number;
}

/** The model's answer. `model` is its name. */
export interface McpSample {
  /** What the model answered. */
  readonly text: string;
  /** The model that answered. */
  readonly model: string;
  /** Whether it was done, or was cut off. */
  readonly stopReason: 'endTurn' | 'maxTokens';
}

/** The authorization that a server demands (RFC 9728, RFC 6750). */
export interface McpChallenge {
  /** Whether there is no token, or one that does not do. */
  readonly reason: 'required' | 'insufficientScope';
  /** What the token is for, and where to get it. */
  readonly resource: ProtectedResourceMetadata;
  /** What the token must allow. */
  readonly scopes?: readonly string[];
}

export type McpFailure =
  /** The program cannot be started, or the address cannot be reached or is none. */
  | { readonly kind: 'unreachable' }
  /** The connection has ended, or was given up before it was established. */
  | { readonly kind: 'closed' }
  /** The server did not answer in time. */
  | { readonly kind: 'timeout' }
  | { readonly kind: 'authRequired'; readonly challenge: McpChallenge }
  /** The server answered with a JSON-RPC error, whatever its code. */
  | { readonly kind: 'refused'; readonly code: number; readonly data?: unknown };

/** Why an exchange with a server failed. The message may be shown to users, so it must reveal nothing of the launch. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly failure: McpFailure;

  constructor(failure: McpFailure, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.failure = failure;
  }
}
