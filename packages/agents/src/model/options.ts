import type { Clock, Log } from '@ahpd/host/ports';
import type { ProtectedResource } from '../protected-resource.js';

/** Which protocol an endpoint of models speaks. */
export type ModelApi = 'openai' | 'openai-responses' | 'anthropic';

/** One endpoint that serves models, as the configuration names it. */
export interface ModelEndpoint {
  /** The protocol that it speaks: chat completions, responses or messages. */
  readonly api: ModelApi;
  /** Such as `http://127.0.0.1:11434/v1`. */
  readonly baseURL: string;
  readonly apiKey?: string | undefined;
  /** The environment variable that the key comes from, to name it when the endpoint refuses the key. */
  readonly apiKeyEnv?: string | undefined;
  /** A token of the client whose turn it is, instead of a key of the host's. */
  readonly token?: string | undefined;
}

/** Which models the agent uses, and by which key. */
export interface ModelAgentOptions extends Omit<ModelEndpoint, 'token'> {
  /** The provider id that sessions name. */
  readonly id: string;
  readonly displayName?: string | undefined;
  /** What clients give tokens for that the endpoint is asked with. */
  readonly auth?: ProtectedResource | undefined;
  /** The first one is used when a session names none. */
  readonly models: readonly string[];
  /** Tokens that the models take in and put out together. */
  readonly contextWindow?: number | undefined;
  /** Tokens of one answer. */
  readonly maxOutputTokens?: number | undefined;
  /** Requests to the model in one turn. */
  readonly maxSteps?: number | undefined;
  /** A file for what users allow for always; without it "always" ends with the session. */
  readonly grantsFile?: string | undefined;
  readonly clock?: ModelClock;
  readonly log?: Log | undefined;
}

export type ModelClock = Pick<Clock, 'setTimeout' | 'clearTimeout'>;

/** The model to ask: one that is not offered any more is not asked for. */
export function modelOf({ models }: ModelAgentOptions, chosen: { readonly id: string } | undefined): string {
  return chosen !== undefined && models.includes(chosen.id) ? chosen.id : (models[0] ?? '');
}
