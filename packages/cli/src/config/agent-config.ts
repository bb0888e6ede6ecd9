import type { ModelApi } from '@moorage/agents/model';
import { isObject } from '@moorage/protocol';
import {
  type Check,
  expecting,
  isName,
  isText,
  isUrl,
  isWebUrl,
  list,
  NAME,
  object,
  PROGRAM,
  SWITCH,
  TEXT,
  TEXTS,
  table,
  VARIABLES,
} from './config-check.js';

/** A resource for which the agent needs a token that clients give. */
interface AuthConfig {
  readonly resource: string;
  readonly name?: string;
  readonly authorizationServers?: readonly string[];
  readonly scopes?: readonly string[];
  readonly documentation?: string;
  readonly required?: boolean;
}

/** An agent that speaks the Agent Client Protocol on standard input and output. */
interface AcpConfig {
  readonly type: 'acp';
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly passEnv?: readonly string[];
  readonly displayName?: string;
  readonly description?: string;
  readonly fs?: boolean;
  readonly terminal?: boolean;
  readonly ownFiles?: { readonly writable?: readonly string[]; readonly readable?: readonly string[] };
  readonly auth?: AuthConfig & { readonly tokenEnv: string };
}

/** The built-in agent on a model endpoint. */
interface ModelConfig {
  readonly type: 'model';
  readonly displayName?: string;
  readonly api: ModelApi;
  readonly baseURL: string;
  readonly apiKeyEnv?: string;
  readonly models?: readonly string[];
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly maxSteps?: number;
  readonly price?: {
    readonly input: number;
    readonly output: number;
    readonly cachedInput?: number;
    readonly currency?: string;
  };
  readonly auth?: AuthConfig;
}

export type AgentConfig = AcpConfig | ModelConfig;

/** Tokens. With less, the descriptions of the tools leave no room for a conversation. */
const SMALLEST_WINDOW = 4_000;

const AUTH = {
  resource: expecting('the URL of what is protected, such as "https://models.example/"', isUrl),
  name: NAME,
  authorizationServers: list('a list of URLs', expecting('a URL', isUrl)),
  scopes: list('a list of strings', NAME),
  documentation: expecting('a URL', isUrl),
  required: SWITCH,
};

/** An ACP agent gets the token in an environment variable. */
const TOKEN_ENV = expecting(
  'the name of an environment variable, in which the agent gets the token',
  (value) => isText(value) && /^[A-Za-z_]\w*$/.test(value),
);

const ACP = object({
  command: PROGRAM,
  args: TEXTS,
  env: VARIABLES,
  type: TEXT,
  passEnv: TEXTS,
  displayName: TEXT,
  description: TEXT,
  fs: SWITCH,
  terminal: SWITCH,
  ownFiles: object({ writable: TEXTS, readable: TEXTS }),
  auth: object({ ...AUTH, tokenEnv: TOKEN_ENV }, ['resource', 'tokenEnv']),
});

const AMOUNT = expecting(
  'what a million tokens cost, a number of at least 0',
  (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
);
const CURRENCY = expecting('a currency such as "USD"', (value) => isText(value) && /^[A-Z]{3}$/.test(value));

const APIS: readonly unknown[] = ['openai', 'openai-responses', 'anthropic'] satisfies ModelApi[];

const MODEL = object(
  {
    type: TEXT,
    displayName: NAME,
    api: expecting('"openai", "openai-responses" or "anthropic"', (value) => APIS.includes(value)),
    baseURL: expecting('a URL such as "http://127.0.0.1:11434/v1"', isWebUrl),
    apiKeyEnv: expecting('the name of an environment variable', isName),
    models: expecting(
      'a list of model names',
      (value) => Array.isArray(value) && value.length > 0 && value.every(isName),
    ),
    contextWindow: expecting('a number of tokens, at least 4000', (value) => isCount(value, SMALLEST_WINDOW)),
    maxOutputTokens: expecting('a number of tokens', (value) => isCount(value, 1)),
    maxSteps: expecting('a number of requests', (value) => isCount(value, 1)),
    price: object({ input: AMOUNT, output: AMOUNT, cachedInput: AMOUNT, currency: CURRENCY }, ['input', 'output']),
    auth: object(AUTH, ['resource']),
  },
  ['api', 'baseURL'],
);

const AGENT: Check = (value, path) => {
  if (!isObject(value)) return { path, expected: 'an object' };
  if (value.type === 'model') return MODEL(value, path);
  if (value.type !== 'acp') return { path: [...path, 'type'], expected: '"acp" or "model"' };
  if (!('command' in value)) return { path, expected: 'a member "command": the name or path of a program' };
  return ACP(value, path);
};

/** The agents of a configuration file, by provider id. */
export const AGENTS = table(
  AGENT,
  expecting(
    'another name: letters, digits, dots and dashes, and not "demo"',
    (name) => isText(name) && name !== 'demo' && /^[\w.-]{1,64}$/.test(name),
  ),
);

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least;
}
