import type { McpServerState, ProtectedResourceMetadata } from '@ahpd/protocol';
import { type McpChallenge, McpError } from '../../ports/mcp.js';
import type { McpServerDeclaration } from './declaration.js';

/** Which tokens one server wants. Until it refuses, that is a guess from its address. */
export class ServerTokens {
  readonly #name: string;
  readonly #tokenFor: (resource: string) => string | undefined;
  #resource: string | undefined;
  #protection: ProtectedResourceMetadata | undefined;

  constructor({ name, launch }: McpServerDeclaration, tokenFor: (resource: string) => string | undefined) {
    this.#name = name;
    this.#tokenFor = tokenFor;
    if (launch.kind === 'http' && URL.canParse(launch.url)) {
      const { origin, pathname } = new URL(launch.url);
      this.#resource = `${origin}${pathname}`;
    }
  }

  /** What tokens for it are for; undefined when it needs none. */
  get resource(): string | undefined {
    return this.#resource;
  }

  /** What it has said about the tokens that it wants. */
  get protection(): ProtectedResourceMetadata | undefined {
    return this.#protection;
  }

  /** The token that there is for it now. */
  get current(): string | undefined {
    return this.#resource === undefined ? undefined : this.#tokenFor(this.#resource);
  }

  /** Only the refusal tells what tokens are for; whether there is one for that, other than the one that was used. */
  hasAnother(error: unknown, used: string | undefined): boolean {
    const challenge = challengeOf(error);
    if (!challenge) return false;
    this.#resource = challenge.resource.resource;
    return this.current !== undefined && this.current !== used;
  }

  /** The state of a server that refused the token that was used, if any. */
  refused({ reason, resource, scopes }: McpChallenge, used = this.current): McpServerState {
    this.#resource = resource.resource;
    this.#protection = resource;
    const required = used === undefined ? 'required' : 'expired';
    return {
      kind: 'authRequired',
      reason: reason === 'insufficientScope' ? reason : required,
      resource,
      ...(scopes && { requiredScopes: [...scopes] }),
      description: `The MCP server "${this.#name}" asks for authentication.`,
    };
  }
}

export function challengeOf(error: unknown): McpChallenge | undefined {
  return error instanceof McpError && error.failure.kind === 'authRequired' ? error.failure.challenge : undefined;
}
