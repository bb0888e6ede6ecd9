import type { ProtectedResourceMetadata, ToolAnnotations } from '@ahpd/protocol';

/** How a server of the Model Context Protocol is reached. Never shown to anybody: it may hold secrets (B-235). */
export type McpLaunch =
  | {
      readonly kind: 'stdio';
      /** A path, or a name that is looked for on PATH. */
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      /** Added to the few variables that every server gets. */
      readonly env?: Readonly<Record<string, string>> | undefined;
      readonly cwd?: string | undefined;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    };

/** Connects to servers of the Model Context Protocol. Everything that a server says is untrusted. */
export interface Mcp {
  /** Rejects with an McpError. A program that was started is gone when this rejects or the connection is closed. */
  connect(options: McpConnectOptions): Promise<McpConnection>;
}

/** Which server is wanted, and who answers it. */
export interface McpConnectOptions {
  readonly launch: McpLaunch;
  /** The folder that the server is to work in. */
  readonly folder?: string | undefined;
  /** The bearer token for a server that is reached by HTTP, asked for at each request. */
  token?(): string | undefined;
  /** Ends the attempt to connect. */
  readonly signal: AbortSignal;
  readonly handlers: McpHandlers;
}

/** What a server may ask and tell. */
export interface McpHandlers {
  elicit(request: McpElicitation, signal: AbortSignal): Promise<McpElicitationAnswer>;
  /** Absent when servers may not use the model. */
  sample?: ((params: McpSampling, signal: AbortSignal) => Promise<McpSample>) | undefined;
  listChanged(list: 'tools' | 'resources'): void;
  /** The connection ended though nobody closed it. */
  closed(error: McpError): void;
}

/** A server that has introduced itself. */
export interface McpConnection {
  readonly offers: McpOffers;
  /** What the server offers to do, at most as many as the limits say. */
  listTools(): Promise<readonly McpTool[]>;
  callTool(call: McpToolCall): Promise<McpToolResult>;
  /** Any other request, as it is; the answer is what the server sent. Rejects with an McpError. */
  request(method: string, params: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<object>;
  close(): Promise<void>;
}

/** What the server has said that it can do. */
export interface McpOffers {
  readonly tools?: { readonly listChanged: boolean };
  readonly resources?: { readonly listChanged: boolean };
  readonly logging: boolean;
}

/** What a server offers to do. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** A JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>> & { readonly type: 'object' };
  readonly annotations?: ToolAnnotations;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A tool that is called, and who hears of its progress. */
export interface McpToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  onProgress(progress: { readonly progress: number; readonly total?: number; readonly message?: string }): void;
}

/** What a tool gave back. */
export interface McpToolResult {
  readonly isError: boolean;
  readonly content: readonly McpContent[];
  readonly structuredContent?: Record<string, unknown>;
}

/** A part of it, in a form that a chat can show. */
export type McpContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly base64: string; readonly contentType: string }
  | { readonly kind: 'link'; readonly uri: string; readonly title: string };

/** A form that the server wants filled in: a flat JSON Schema. */
export interface McpElicitation {
  readonly message: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What the user filled in, or that they would not. */
export type McpElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Record<string, string | number | boolean | string[]> }
  | { readonly action: 'decline' | 'cancel' };

/** What a server wants to ask the model of a session. */
export interface McpSampling {
  readonly system?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly maxTokens: number;
}

/** What the model said. */
export interface McpSample {
  readonly text: string;
  readonly model: string;
  readonly stopReason: 'endTurn' | 'maxTokens';
}

/** What a server asks for before it serves anybody (RFC 9728, RFC 6750). */
export interface McpChallenge {
  readonly reason: 'required' | 'insufficientScope';
  readonly resource: ProtectedResourceMetadata;
  readonly scopes?: readonly string[];
}

/** In which way something did not work. */
export type McpFailure =
  /** The program or the address does not work; the message says in what way, and names neither. */
  | { readonly kind: 'unreachable' }
  /** The connection is gone, or was never of use. */
  | { readonly kind: 'closed' }
  /** No answer came while somebody waited for it. */
  | { readonly kind: 'timeout' }
  | { readonly kind: 'authRequired'; readonly challenge: McpChallenge }
  /** The server answered with an error of its own. */
  | { readonly kind: 'refused'; readonly code: number; readonly data?: unknown };

/** Why something did not work with a server, in words that may be shown: they hold nothing of its launch. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly failure: McpFailure;

  constructor(failure: McpFailure, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.failure = failure;
  }
}
