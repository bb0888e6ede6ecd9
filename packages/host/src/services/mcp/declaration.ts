import type { URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { McpLaunch } from '../../ports/mcp.js';

/** An MCP server of a session. Clients only ever see its id, name, URI and `enabled`. */
export interface McpServerDeclaration {
  /** Unique in the session and stable across restarts. */
  readonly id: string;
  /** Shown where the server is named; also its key in the configuration. */
  readonly name: string;
  /** Where the server is declared. */
  readonly uri: URI;
  /** Whether it is enabled until a user chooses. */
  readonly enabled: boolean;
  /** How to reach it. */
  readonly launch: McpLaunch;
  /** The server was not put on this machine on purpose, so what its tools say about themselves is not trusted. */
  readonly isGuarded?: boolean | undefined;
  /** Whether the server may use the model of the session's agent. */
  readonly sampling?: boolean | undefined;
}

/**
 * Declares the servers of one plugin or directory of a session: all of them whenever one changes, and none when the
 * container is gone.
 */
export type DeclareMcpServers = (
  session: Channel<'session'>,
  container: string,
  servers: readonly McpServerDeclaration[],
) => void;

/** Source of tokens for HTTP servers. */
export interface McpTokens {
  /** A token that the session may use for a resource (RFC 9728), if there is one. */
  tokenFor(session: URI, resource: string): string | undefined;
  /** Called when a token for a resource is added, replaced or dropped. */
  onTokensChanged(listener: (resource: string) => void): void;
}

export const NO_TOKENS: McpTokens = { tokenFor: () => undefined, onTokensChanged: () => {} };
