import { type Fields, fields, label, list, text } from '../shared/untrusted.js';

/** A setting of an agent's session: a choice, or a switch. */
export interface Setting {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly category?: string;
  readonly value: string | boolean;
  /** Undefined for a switch. */
  readonly choices?: readonly { readonly id: string; readonly name: string; readonly description?: string }[];
  /** How it is set: as a config option, or in the older ways that ACP had for modes and models. */
  readonly via: 'option' | 'mode' | 'model';
}

/** Settings of a session that are read, and choices of each: lists of models may be long. */
const MAX_SETTINGS = 50;
const MAX_CHOICES = 500;

/** The settings in an agent's answer to making or loading a session. */
export function readSettings(answer: unknown): Setting[] {
  const { configOptions, modes, models } = fields(answer);
  const options = readOptions(configOptions);
  if (options.length > 0) return options;
  return [
    ...legacy('mode', 'Mode', fields(modes).currentModeId, fields(modes).availableModes, 'id'),
    ...legacy('model', 'Model', fields(models).currentModelId, fields(models).availableModels, 'modelId'),
  ];
}

export function readOptions(configOptions: unknown): Setting[] {
  return list(configOptions)
    .slice(0, MAX_SETTINGS)
    .map(fields)
    .flatMap((option): Setting[] => {
      const base = baseOf(option, 'option');
      if (!base) return [];
      if (typeof option.currentValue === 'boolean') return [{ ...base, value: option.currentValue }];
      const value = text(option.currentValue);
      return value === undefined ? [] : [{ ...base, value, choices: choicesOf(option.options, 'value') }];
    });
}

/** A remembered setting; undefined when it makes no sense. */
export function readRemembered(setting: Fields): Setting | undefined {
  const via = VIAS.find((known) => known === setting.via);
  const base = via && baseOf(setting, via);
  if (!base || !Array.isArray(setting.choices)) return base && { ...base, value: false };
  return { ...base, value: '', choices: choicesOf(setting.choices, 'id') };
}

const VIAS = ['option', 'mode', 'model'] as const;

function baseOf(setting: Fields, via: Setting['via']) {
  const id = label(setting.id);
  const description = label(setting.description);
  const category = label(setting.category);
  if (!id) return undefined;
  const name = label(setting.name) ?? id;
  return { id, name, ...(description && { description }), ...(category && { category }), via };
}

function legacy(id: 'mode' | 'model', name: string, current: unknown, offered: unknown, key: string): Setting[] {
  const value = text(current);
  const choices = choicesOf(offered, key);
  return value === undefined || choices.length === 0 ? [] : [{ id, name, category: id, value, choices, via: id }];
}

/** Choices may come in groups. */
function choicesOf(offered: unknown, key: string): NonNullable<Setting['choices']> {
  return list(offered)
    .slice(0, MAX_CHOICES)
    .flatMap((item) => {
      const choice = fields(item);
      if (Array.isArray(choice.options)) return choicesOf(choice.options, key);
      const id = label(choice[key]);
      const description = label(choice.description);
      return id ? { id, name: label(choice.name) ?? id, ...(description && { description }) } : [];
    })
    .slice(0, MAX_CHOICES);
}
