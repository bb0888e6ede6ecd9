/**
 * Tokens for the resources that the agent declares in `protectedResources`, given by the client whose message the turn
 * answers. An agent must not write a token anywhere: not to files, not to logs, not into its output.
 */
export interface AgentTokens {
  /** The current token for a resource. Do not keep it: a client may give a fresh one while the turn runs. */
  get(resource: string): string | undefined;
  /** Call when the resource rejected the token. It is not used again, and the client is asked for another. */
  refused(resource: string): void;
}
