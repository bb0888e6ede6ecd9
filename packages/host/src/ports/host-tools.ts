import type { McpLaunch } from './mcp.js';

/** A tool of the host that agents may call over MCP. */
export interface HostTool {
  /** What models call it. */
  readonly name: string;
  /** What it does, for models. */
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: { readonly type: 'object'; readonly properties: object; readonly required?: readonly string[] };
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean;
  /** Resolves with text for the model. Rejects with a HostToolError for what the model can put right. */
  call(args: Readonly<Record<string, unknown>>): Promise<string>;
}

/** Why a call failed; a sentence for the model. */
export class HostToolError extends Error {
  override readonly name = 'HostToolError';
}

/** Where agents reach the tools of the host. Only whoever has a secret gets any, and each secret is for one session. */
export interface HostToolsEndpoint {
  /** How to reach the tools with a secret. */
  launchFor(secret: string): McpLaunch;
  /** `tools` gives the tools for a secret; undefined for one that is unknown, or whose session is gone. */
  serve(tools: (secret: string) => readonly HostTool[] | undefined): void;
  /** Resolves once nobody is connected any more. */
  close(): Promise<void>;
}
