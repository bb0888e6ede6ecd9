import type { URI } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { McpLaunch } from '../../ports/mcp.js';

/** A server that a session has. Only id, name, URI and `enabled` are ever shown. */
export interface McpServerDeclaration {
  /** Unique in the session, and the same after a restart. */
  readonly id: string;
  readonly name: string;
  /** Where it is declared. */
  readonly uri: URI;
  /** What holds until a user says otherwise. */
  readonly enabled: boolean;
  readonly launch: McpLaunch;
  /** Nobody put it on this machine on purpose: what its tools say of themselves is not believed. */
  readonly isGuarded?: boolean | undefined;
  /** Whether it may use the model of the session's agent. */
  readonly sampling?: boolean | undefined;
}

/** Hands over the servers of one plugin or directory of a session: all of them, whenever one changes; none when it is gone. */
export type DeclareMcpServers = (
  session: Channel<'session'>,
  container: string,
  servers: readonly McpServerDeclaration[],
) => void;

/** Where tokens for servers behind HTTP come from. */
export interface McpTokens {
  /** A token that this session may use for a resource (RFC 9728), if there is one. */
  tokenFor(session: URI, resource: string): string | undefined;
  /** Calls back when there is a new token for a resource, or one is gone. */
  onTokensChanged(listener: (resource: string) => void): void;
}

export const NO_TOKENS: McpTokens = { tokenFor: () => undefined, onTokensChanged: () => {} };
