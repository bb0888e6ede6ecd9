import type { AgentTokens } from '../../ports/agent-tokens.js';
import type { HeldToken } from './token-vault.js';

export interface TurnTokensHost {
  /** The token that a turn may use now: its client's, else one that is shared with the session. */
  find(resource: string): HeldToken | undefined;
  isExpired(token: HeldToken): boolean;
  refused(token: HeldToken): void;
}

/**
 * The tokens of one turn. What was there when it began stays usable until it ends: a turn goes on when its client leaves,
 * and so does what it was started with.
 */
export class TurnTokens implements AgentTokens {
  readonly #host: TurnTokensHost;
  readonly #resources: ReadonlySet<string>;
  readonly #last = new Map<string, HeldToken>();
  readonly #seen = new Set<string>();

  constructor(host: TurnTokensHost, resources: readonly string[]) {
    this.#host = host;
    this.#resources = new Set(resources);
    for (const resource of resources) this.get(resource);
  }

  get(resource: string): string | undefined {
    if (!this.#resources.has(resource)) return undefined;
    const token = this.#host.find(resource) ?? this.#last.get(resource);
    if (!token || this.#host.isExpired(token)) return undefined;
    this.#last.set(resource, token);
    this.#seen.add(token.value);
    return token.value;
  }

  refused(resource: string): void {
    const token = this.#last.get(resource);
    if (!token) return;
    this.#last.delete(resource);
    this.#host.refused(token);
  }

  /** A text without the tokens that this turn got to know. */
  redact(text: string): string {
    return [...this.#seen].reduce((rest, token) => rest.replaceAll(token, HIDDEN_TOKEN), text);
  }
}

/** What stands where a token was. */
export const HIDDEN_TOKEN = '[token]';
