import type { ConfigPropertySchema, StateAction } from '@moorage/protocol';
import { CONFIRM, unless, type Verdict } from './verdict.js';

interface Property extends ConfigPropertySchema {
  sessionMutable?: boolean | undefined;
}

export interface ConfigChange {
  readonly config: Readonly<Record<string, unknown>>;
  readonly replace?: boolean | undefined;
}

interface Config {
  readonly schema: { readonly properties: Readonly<Record<string, Property>> };
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Judges a change of settings. A program of this project hears what is wrong with it. Others send settings of their own
 * whatever is declared here: what fits is applied, and the rest ignored (V-3, V-28).
 */
export function judgeConfig(
  config: Config | undefined,
  action: Extract<StateAction, { type: 'root/configChanged' | 'session/configChanged' }>,
  { mayChange, isOurs }: { mayChange: (property: Property) => boolean; isOurs: boolean },
): Verdict {
  const problem = configProblem(config, action, mayChange);
  if (isOurs || problem === undefined) return unless(problem);
  if (!config) return CONFIRM;
  const fits = ([key, value]: [string, unknown]) =>
    configProblem(config, { config: { [key]: value } }, mayChange) === undefined;
  const fitting = Object.fromEntries(Object.entries(action.config).filter(fits));
  if (Object.keys(fitting).length === 0) return CONFIRM;
  const fixed = Object.entries(config.values).filter(([key]) => {
    const property = config.schema.properties[key];
    return property && !mayChange(property);
  });
  const kept = action.replace ? Object.fromEntries(fixed) : {};
  return { kind: 'accept', applied: { ...action, config: { ...kept, ...fitting } } };
}

/** Why a change of configuration values is refused, or undefined when it is fine (OQ-39). */
export function configProblem(
  config: Config | undefined,
  change: ConfigChange,
  mayChange: (property: Property) => boolean,
): string | undefined {
  if (!config) return 'there is no configuration to change';
  const { properties } = config.schema;
  for (const [key, value] of Object.entries(change.config)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!property) return `unknown setting "${key}"`;
    if (!mayChange(property) && !same(value, config.values[key])) return `setting "${key}" cannot be changed`;
    const problem = valueProblem(property, value);
    if (problem) return `setting "${key}": ${problem}`;
  }
  const dropped = Object.keys(config.values).find((key) => {
    const property = properties[key];
    return change.replace && !Object.hasOwn(change.config, key) && property && !mayChange(property);
  });
  return dropped === undefined ? undefined : `setting "${dropped}" cannot be removed`;
}

/** Why a value does not fit the schema of its setting, or undefined when it does. */
function valueProblem(property: ConfigPropertySchema, value: unknown): string | undefined {
  const actual = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  if (actual !== property.type) return `expected ${property.type}, got ${actual}`;
  const dynamic = (property as { enumDynamic?: boolean }).enumDynamic;
  if (property.enum && !dynamic && typeof value === 'string' && !property.enum.includes(value)) {
    return `expected one of ${property.enum.join(', ')}`;
  }
  if (Array.isArray(value) && property.items) return firstProblem(value, property.items);
  return undefined;
}

function firstProblem(values: readonly unknown[], items: ConfigPropertySchema): string | undefined {
  for (const [index, value] of values.entries()) {
    const problem = valueProblem(items, value);
    if (problem) return `item ${index}: ${problem}`;
  }
  return undefined;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
