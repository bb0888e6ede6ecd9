import type { ContentRef, URI } from '@moorage/protocol';
import type { KnownServers } from './mcp-contributor.js';

/** What mapping needs from a turn. Given the same answers, the same updates lead to the same events. */
export interface MappingPorts {
  /** Stores content where every client can read it. */
  storeContent(content: string | Uint8Array, contentType?: string): ContentRef;
  /** The host's terminal by the id that the agent was given; undefined for the agent's own ids. */
  terminal(terminalId: string): { readonly resource: URI; readonly title: string } | undefined;
  /** The servers whose tools the agent may call besides its own. */
  readonly mcp: KnownServers;
  /** What relative paths are relative to. */
  readonly workingDirectory: string | undefined;
}
