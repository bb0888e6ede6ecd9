import { join } from 'node:path';
import { type ModelApi, modelAgent, unconfiguredModelAgent } from '@ahpd/agents/model';
import type { AgentProvider, Log } from '@ahpd/host';
import type { AuthConfig } from './auth-config.js';

/** An entry under "agents" whose type is "model"; anything else in it was refused before. */
interface ModelSettings {
  readonly type: 'model';
  readonly displayName?: string;
  readonly api: ModelApi;
  readonly baseURL: string;
  readonly apiKeyEnv?: string;
  readonly models: readonly string[];
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly maxSteps?: number;
  readonly auth?: AuthConfig;
}

export interface ModelAgentsContext {
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

/** The built-in agent for each model endpoint of the configuration; without any, one that says how to add it. */
export function modelAgents(
  agents: Readonly<Record<string, unknown>>,
  { dataDir, environment, log }: ModelAgentsContext,
): AgentProvider[] {
  const found = Object.entries(agents).flatMap(([id, settings]) => {
    if (!isModel(settings)) return [];
    const { type: _type, apiKeyEnv, ...rest } = settings;
    const apiKey = apiKeyEnv === undefined ? undefined : environment[apiKeyEnv];
    return [
      modelAgent({ id, ...rest, apiKey, apiKeyEnv, grantsFile: join(dataDir, `always-allowed-${id}.json`), log }),
    ];
  });
  return found.length > 0 || 'model' in agents ? found : [unconfiguredModelAgent()];
}

/** What is wrong with an entry whose type is "model": the member and what it should be. */
export function modelProblem(settings: object): { key: string; expected: string } | undefined {
  const values = settings as Record<string, unknown>;
  const wrong = Object.entries(CHECKS).find(([key, [isGood]]) => !isGood(values[key]));
  if (wrong) return { key: wrong[0], expected: wrong[1][1] };
  const unknown = Object.keys(values).find((key) => !(key in CHECKS));
  return unknown === undefined ? undefined : { key: unknown, expected: `one of ${Object.keys(CHECKS).join(', ')}` };
}

/** By name, whether a value is good, and what is expected. */
const CHECKS: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  type: [(value) => value === 'model', '"model"'],
  displayName: [optional(isText), 'a text'],
  api: [
    (value) => value === 'openai' || value === 'openai-responses' || value === 'anthropic',
    '"openai", "openai-responses" or "anthropic"',
  ],
  baseURL: [isHttpUrl, 'a URL such as "http://127.0.0.1:11434/v1"'],
  apiKeyEnv: [optional(isText), 'the name of an environment variable'],
  models: [(value) => Array.isArray(value) && value.length > 0 && value.every(isText), 'a list of model names'],
  contextWindow: [optional(isCount), 'a number of tokens, at least 4000'],
  maxOutputTokens: [optional(isPositive), 'a number of tokens'],
  maxSteps: [optional(isPositive), 'a number of requests'],
  auth: [() => true, 'an object'], // looked at before, as it is the same for all agents
};

/** Tokens below which no conversation fits beside the description of the tools. */
const SMALLEST_WINDOW = 4_000;

function isModel(settings: unknown): settings is ModelSettings {
  return typeof settings === 'object' && settings !== null && 'type' in settings && settings.type === 'model';
}

function optional(isGood: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || isGood(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isHttpUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= SMALLEST_WINDOW;
}

function isPositive(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
