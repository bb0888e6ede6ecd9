import { isObject } from '@moorage/protocol';

/** A program on this machine that serves models as OpenAI's API does. */
export interface ModelServer {
  readonly name: string;
  readonly baseURL: string;
  readonly models: readonly string[];
}

const USUAL = [
  { name: 'ollama', baseURL: 'http://127.0.0.1:11434/v1' },
  { name: 'llama.cpp', baseURL: 'http://127.0.0.1:8080/v1' },
  { name: 'LM Studio', baseURL: 'http://127.0.0.1:1234/v1' },
];

/** On the same machine a server answers at once; whatever takes longer is not one. */
const ANSWER_WITHIN_MS = 1_000;
const MAX_MODELS = 20;

/** Those that answer on their usual ports with at least one model. */
export async function modelServers(usual: readonly Omit<ModelServer, 'models'>[] = USUAL): Promise<ModelServer[]> {
  const found = await Promise.all(usual.map(async (server) => ({ ...server, models: await modelsOf(server.baseURL) })));
  return found.filter(({ models }) => models.length > 0);
}

/** What to add to the configuration, as one line. */
export function configurationOf({ name, baseURL, models }: ModelServer): string {
  const agent = { type: 'model', displayName: name, api: 'openai', baseURL, models };
  return `"agents": { "local": ${JSON.stringify(agent)} }`;
}

/** The command that adds it, with the models that it has now. */
export function addCommandOf({ baseURL, models }: ModelServer): string {
  // A server chooses the names of its models; what a shell would read otherwise is left out.
  const plain = models.filter((model) => /^[\w.:/@-]+$/.test(model) && !model.startsWith('-'));
  return ['moorage agents add local --url', baseURL, ...plain.flatMap((model) => ['--model', model])].join(' ');
}

async function modelsOf(baseURL: string): Promise<string[]> {
  try {
    const answer = await fetch(`${baseURL}/models`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const body: unknown = answer.ok ? await answer.json() : undefined;
    const data = isObject(body) && Array.isArray(body.data) ? body.data : [];
    const ids = data.flatMap((model: unknown) => (isObject(model) && typeof model.id === 'string' ? [model.id] : []));
    return ids.slice(0, MAX_MODELS);
  } catch {
    return []; // nobody is there, or it is something else
  }
}
