import type { McpServerState, ProtectedResourceMetadata } from '@moorage/protocol';
import { type McpChallenge, McpError } from '../../ports/mcp.js';
import type { McpServerDeclaration } from './declaration.js';

/** Which tokens a server needs. Until it refuses a request, that is guessed from its address. */
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

  /** The resource that the server's tokens are for; undefined if it needs none. */
  get resource(): string | undefined {
    return this.#resource;
  }

  /** What the server has said about the tokens it needs. */
  get protection(): ProtectedResourceMetadata | undefined {
    return this.#protection;
  }

  /** The current token for the server. */
  get current(): string | undefined {
    return this.#resource === undefined ? undefined : this.#tokenFor(this.#resource);
  }

  /** Takes the resource from the server's refusal. Returns whether there is a token for it other than the one used. */
  hasAnother(error: unknown, used: string | undefined): boolean {
    const challenge = challengeOf(error);
    if (!challenge) return false;
    this.#resource = challenge.resource.resource;
    return this.current !== undefined && this.current !== used;
  }

  /** The state of a server that refused the used token, or the lack of one. */
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
