import type { URI } from '@ahpd/protocol';
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
  /** Whether it may use the model of the session's agent. */
  readonly sampling?: boolean | undefined;
}

/** Where tokens for servers behind HTTP come from. */
export interface McpTokens {
  /** A token that this session may use for a resource (RFC 9728), if there is one. */
  tokenFor(session: URI, resource: string): string | undefined;
  /** Calls back when there is a new token for a resource, or one is gone. */
  onTokensChanged(listener: (resource: string) => void): void;
}

export const NO_TOKENS: McpTokens = { tokenFor: () => undefined, onTokensChanged: () => {} };
