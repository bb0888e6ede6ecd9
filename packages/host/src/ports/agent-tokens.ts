/**
 * Tokens for what the agent declares in `protectedResources`, as far as the client has them for whom a turn runs. They
 * must not be written anywhere: neither to files nor logs nor into what the agent says.
 */
export interface AgentTokens {
  /** The token to use now. Ask each time: a client may give a fresh one while the turn runs. */
  get(resource: string): string | undefined;
  /** The resource did not take the token: nobody uses it again, and its client is asked for another. */
  refused(resource: string): void;
}
