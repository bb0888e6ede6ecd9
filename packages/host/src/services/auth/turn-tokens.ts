import type { AgentTokens } from '../../ports/agent-tokens.js';
import type { KnownToken } from './token-vault.js';

export interface TurnTokensHost {
  /** The token that the turn may use now: its client's, else one shared with the session. */
  find(resource: string): KnownToken | undefined;
  isExpired(token: KnownToken): boolean;
  refused(token: KnownToken): void;
}

/**
 * The tokens of one turn. A token that was there when the turn began stays usable until it ends, even if its client
 * disconnects.
 */
export class TurnTokens implements AgentTokens {
  readonly #host: TurnTokensHost;
  readonly #resources: ReadonlySet<string>;
  readonly #last = new Map<string, KnownToken>();
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

  /** Replaces every token that this turn has used with a placeholder. */
  redact(text: string): string {
    return [...this.#seen].reduce((rest, token) => rest.replaceAll(token, HIDDEN_TOKEN), text);
  }
}

/** The placeholder for a redacted token. */
export const HIDDEN_TOKEN = '[token]';
