import type { Clock, Log } from '@moorage/host/ports';
import type { ProtectedResource } from '../protected-resource.js';

/** The protocol of a model endpoint. */
export type ModelApi = 'openai' | 'openai-responses' | 'anthropic';

/** One endpoint that serves models, as the configuration names it. */
export interface ModelEndpoint {
  /** Chat completions, responses or messages. */
  readonly api: ModelApi;
  /** Such as `http://127.0.0.1:11434/v1`. */
  readonly baseURL: string;
  readonly apiKey?: string | undefined;
  /** The environment variable of the key, to be named when the endpoint refuses it. */
  readonly apiKeyEnv?: string | undefined;
  /** The models that it lists, to be named when it does not know one. */
  readonly listed?: readonly string[] | undefined;
  /** A token of the client whose turn it is, used instead of the host's key. */
  readonly token?: string | undefined;
}

/** What a million tokens cost. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Of input that the endpoint had cached; as much as other input unless given. */
  readonly cachedInput?: number | undefined;
  /** Such as `USD`, which is also the default. */
  readonly currency?: string | undefined;
}

/** The settings of the model agent. */
export interface ModelAgentOptions extends Omit<ModelEndpoint, 'token' | 'listed'> {
  /** The provider id that sessions name. */
  readonly id: string;
  readonly displayName?: string | undefined;
  /** The resource whose tokens, given by clients, the endpoint wants. */
  readonly auth?: ProtectedResource | undefined;
  /** The first one is used when a session names none. Without any, those that the endpoint lists. */
  readonly models?: readonly string[] | undefined;
  /** Tokens that fit into the models' context window, input and output together; else what the endpoint says. */
  readonly contextWindow?: number | undefined;
  /** Tokens of one answer. */
  readonly maxOutputTokens?: number | undefined;
  readonly price?: Price | undefined;
  /** Requests to the model in one turn. */
  readonly maxSteps?: number | undefined;
  /** Where "always allow" is kept; without it that counts only for the session. */
  readonly grantsFile?: string | undefined;
  readonly clock?: ModelClock;
  readonly log?: Log | undefined;
}

export type ModelClock = Pick<Clock, 'setTimeout' | 'clearTimeout'>;
