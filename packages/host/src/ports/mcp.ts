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
  readonly launch: McpLaunch;
  /** The absolute path of the folder to work in: the program's cwd, and the root that the server is told. */
  readonly folder?: string | undefined;
  /** The bearer token for an HTTP server. Called for every request, since the token may change. */
  token?(): string | undefined;
  /** Aborts the attempt to connect. Has no effect once connected. */
  readonly signal: AbortSignal;
  readonly handlers: McpHandlers;
}

/** Receives what a server asks and reports. The signals abort when the server no longer waits for the answer. */
export interface McpHandlers {
  elicit(request: McpElicitation, signal: AbortSignal): Promise<McpElicitationAnswer>;
  /** Absent when the server may not use the model; the capability is then not announced to it. */
  sample?: ((params: McpSampling, signal: AbortSignal) => Promise<McpSample>) | undefined;
  listChanged(list: 'tools' | 'resources'): void;
  /** Called once when the connection ends by itself; not after `close`, and not when `connect` rejects. */
  closed(error: McpError): void;
}

/** A connected server. Every promise rejects only with an McpError, of kind `closed` once the connection has ended. */
export interface McpConnection {
  readonly offers: McpOffers;
  /** All tools of the server, up to the adapter's limit. */
  listTools(): Promise<readonly McpTool[]>;
  callTool(call: McpToolCall): Promise<McpToolResult>;
  /** Sends any other request unchanged and resolves with the server's result. */
  request(method: string, params: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<object>;
  /** Resolves when the connection is closed and its program has ended. May be called more than once. */
  close(): Promise<void>;
}

/** The server's capabilities. */
export interface McpOffers {
  readonly tools?: { readonly listChanged: boolean };
  readonly resources?: { readonly listChanged: boolean };
  readonly logging: boolean;
}

export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** A JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>> & { readonly type: 'object' };
  readonly annotations?: ToolAnnotations;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface McpToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Aborting rejects the call and cancels it at the server. */
  readonly signal: AbortSignal;
  onProgress(progress: { readonly progress: number; readonly total?: number; readonly message?: string }): void;
}

export interface McpToolResult {
  /** The tool itself reported a failure, which `content` describes. */
  readonly isError: boolean;
  readonly content: readonly McpContent[];
  readonly structuredContent?: Record<string, unknown>;
}

/** A part of a tool's result, in a form that a chat can show. */
export type McpContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly base64: string; readonly contentType: string }
  | { readonly kind: 'link'; readonly uri: string; readonly title: string };

/** A form that the server asks the user to fill in. `schema` is a JSON Schema of a flat object. */
export interface McpElicitation {
  readonly message: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What the user filled in, or that they declined. */
export type McpElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Record<string, string | number | boolean | string[]> }
  | { readonly action: 'decline' | 'cancel' };

/** A server's request to the model of a session. */
export interface McpSampling {
  readonly system?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly maxTokens: number;
}

/** The model's answer. `model` is its name. */
export interface McpSample {
  readonly text: string;
  readonly model: string;
  readonly stopReason: 'endTurn' | 'maxTokens';
}

/** The authorization that a server demands (RFC 9728, RFC 6750). */
export interface McpChallenge {
  readonly reason: 'required' | 'insufficientScope';
  readonly resource: ProtectedResourceMetadata;
  readonly scopes?: readonly string[];
}

export type McpFailure =
  /** The program cannot be started, or the address cannot be reached. */
  | { readonly kind: 'unreachable' }
  /** The connection has ended, or was given up before it was established. */
  | { readonly kind: 'closed' }
  /** The server did not answer in time. */
  | { readonly kind: 'timeout' }
  | { readonly kind: 'authRequired'; readonly challenge: McpChallenge }
  /** The server answered with a JSON-RPC error. */
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
