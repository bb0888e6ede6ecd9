import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SessionConfigSchema, SessionModelInfo } from '@moorage/protocol';
import { fields, list } from '../shared/untrusted.js';
import { readRemembered, type Setting } from './settings.js';

/** The model that an agent uses of itself. It is not among the choices of any setting, so nothing is set when it is chosen. */
const UNNAMED_MODEL = 'default';

/** What is known of an agent before it runs: the settings of its last session. */
export class AgentMemory {
  readonly #file: string | undefined;
  #settings: readonly Setting[];

  constructor(file: string | undefined) {
    this.#file = file;
    this.#settings = file === undefined ? [] : read(file);
  }

  /** Returns whether anything is new. What cannot be written is remembered until the host ends. */
  learn(settings: readonly Setting[]): boolean {
    const general = settings.map((setting) => ({ ...setting, value: setting.choices ? '' : false }));
    const json = JSON.stringify(general);
    if (settings.length === 0 || json === JSON.stringify(this.#settings)) return false;
    this.#settings = general;
    if (this.#file === undefined) return true;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(this.#file, json, { mode: 0o600 });
    } catch {
      // This is only a cache; the host itself complains about a full or read-only disk.
    }
    return true;
  }

  /** Whether settings are known. */
  get isFilled(): boolean {
    return this.#settings.length > 0;
  }

  /** An agent that names no models is offered with one: clients such as VS Code take one without for unusable (V-49). */
  models(provider: string): SessionModelInfo[] {
    const models = this.#settings.find(({ category }) => category === 'model')?.choices ?? [];
    if (models.length === 0) return [{ id: UNNAMED_MODEL, provider, name: 'Default' }];
    return models.map(({ id, name }) => ({ id, provider, name }));
  }

  /** All settings except the model, which clients choose in another way. */
  get sessionConfig(): SessionConfigSchema['properties'] {
    const shown = this.#settings.filter(({ category }) => category !== 'model');
    return Object.fromEntries(shown.map((setting) => [setting.id, property(setting)]));
  }
}

function property({ name, description, choices }: Setting): SessionConfigSchema['properties'][string] {
  const base = { title: name, ...(description && { description }), sessionMutable: true };
  if (!choices) return { ...base, type: 'boolean' };
  return {
    ...base,
    type: 'string',
    enum: choices.map(({ id }) => id),
    enumLabels: choices.map((choice) => choice.name),
    enumDescriptions: choices.map((choice) => choice.description ?? ''),
  };
}

/** Another version, or anybody, may have written the file: what does not fit is left out. */
function read(file: string): Setting[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
  return list(content).flatMap((setting) => readRemembered(fields(setting)) ?? []);
}
