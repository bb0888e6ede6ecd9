import type { ContentRef, URI } from '@ahpd/protocol';
import type { KnownServers } from './mcp-contributor.js';

/** What mapping needs of a turn. With the same answers the same updates give the same events. */
export interface MappingPorts {
  /** Stores content where every client can read it. */
  storeContent(content: string | Uint8Array, contentType?: string): ContentRef;
  /** The host's terminal under the id that the agent was given; undefined for ids of the agent's own. */
  terminal(terminalId: string): { readonly resource: URI; readonly title: string } | undefined;
  /** Whose tools the agent may call besides its own. */
  readonly mcp: KnownServers;
  /** What relative paths are relative to. */
  readonly workingDirectory: string | undefined;
}
