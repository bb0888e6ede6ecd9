import { AgentError, type Log } from '@moorage/host/ports';
import type { ModelAgentOptions } from '../options.js';
import { type ListedModel, listModels } from './list-models.js';
import { repeatedly } from './repeatedly.js';

/** How often an endpoint is asked for its models until it has all that are configured: it may be starting. */
const LOOK_MS = 30_000;

/** Names in a message: enough to find the right one. */
const MAX_NAMED = 20;

/** The models of an endpoint: those of the configuration, else all that the endpoint lists. */
export class OfferedModels {
  readonly #options: ModelAgentOptions;
  readonly #onChange: () => void;
  readonly stop: () => void;
  #listed: readonly ListedModel[] | undefined;
  #asking: Promise<void> | undefined;

  constructor(options: ModelAgentOptions, onChange: () => void) {
    this.#options = options;
    this.#onChange = onChange;
    this.stop = repeatedly(LOOK_MS, () => {
      if (!this.#listed || this.missing.length > 0) void this.#ask();
    });
  }

  get names(): readonly string[] {
    return this.#options.models ?? this.listed ?? [];
  }

  /** What the endpoint says that it has; undefined while it has not said. */
  get listed(): readonly string[] | undefined {
    return this.#listed?.map(({ id }) => id);
  }

  /** Configured names that the endpoint does not list. */
  get missing(): readonly string[] {
    const { models = [] } = this.#options;
    return this.#listed ? models.filter((name) => !this.#find(name)) : [];
  }

  /** What is wrong with the configured names, in words. */
  get problem(): string | undefined {
    const { missing } = this;
    if (missing.length === 0) return undefined;
    const names = missing.map((name) => JSON.stringify(name)).join(', ');
    return `The model endpoint does not list ${names}. ${hasWords(this.listed ?? [])} Correct "models" in the configuration.`;
  }

  /** Tokens that fit, as configured or as the endpoint says. */
  windowOf(model: string): number | undefined {
    return this.#options.contextWindow ?? this.#find(model)?.contextWindow;
  }

  /** The chosen model if it is still offered, else the first one. */
  choose(chosen: { readonly id: string } | undefined): string {
    const { names } = this;
    return chosen !== undefined && names.includes(chosen.id) ? chosen.id : (names[0] ?? '');
  }

  /** Waits until there is a model to choose, which only an endpoint without configured names can lack. */
  async ready(): Promise<void> {
    if (this.names.length === 0) await this.#ask();
    if (this.names.length > 0) return;
    const { baseURL } = this.#options;
    const message = `The model endpoint at ${baseURL} lists no models. Check that it is running, or name one under "models" in the configuration.`;
    throw new AgentError('modelNotFound', message);
  }

  #find(name: string): ListedModel | undefined {
    // Ollama knows a model without a tag by its newest one.
    return this.#listed?.find(({ id }) => id === name || id === `${name}:latest`);
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#refresh(this.#options.log).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #refresh(log: Log | undefined): Promise<void> {
    const listed = await listModels(this.#options);
    if (!listed || JSON.stringify(listed) === JSON.stringify(this.#listed)) return;
    this.#listed = listed;
    const { problem } = this;
    const { id } = this.#options;
    if (problem !== undefined) log?.write('warn', 'agent.model-not-listed', problem, { provider: id });
    this.#onChange();
  }
}

/** What there is, for people who named something else. */
export function hasWords(models: readonly string[]): string {
  if (models.length === 0) return 'It has none.';
  const more = models.length > MAX_NAMED ? ` and ${models.length - MAX_NAMED} more` : '';
  return `It has: ${models.slice(0, MAX_NAMED).join(', ')}${more}.`;
}
