import { isObject, type JsonObject } from '../common/is-object.js';
import { discriminatorOf } from './discriminator.js';
import { isUnknownVariant } from './loosen.js';
import type { PlainSchema } from './plain-schema.js';

/** Why a value is not what a schema asks for: where (a JSON pointer) and what was expected there. */
export interface Problem {
  /** Where it is. */
  readonly path: string;
  /** What should be there. */
  readonly expected: string;
}

/** The first thing that is wrong with a value, or undefined when it is valid. Slow and exact: for error messages. */
export function explain(schema: PlainSchema, value: unknown): Problem | undefined {
  return visit(schema, value, '', schema.$defs ?? {});
}

type Definitions = Readonly<Record<string, PlainSchema>>;

function visit(schema: PlainSchema, value: unknown, path: string, definitions: Definitions): Problem | undefined {
  if (schema.$ref) {
    const target = definitions[schema.$ref.slice('#/$defs/'.length)];
    return target && visit(target, value, path, definitions);
  }
  if (schema.anyOf) return visitUnion(schema.anyOf, value, path, definitions);
  if (schema.const !== undefined) return value === schema.const ? undefined : { path, expected: show(schema.const) };
  if (schema.enum) {
    if (typeof value === 'string' && schema.enum.includes(value)) return undefined;
    return { path, expected: `one of ${schema.enum.map(show).join(', ')}` };
  }
  if (schema.type && !hasType(schema.type, value)) return { path, expected: nameOfType(schema.type) };
  if (schema.minimum !== undefined && typeof value === 'number' && value < schema.minimum) {
    return { path, expected: `a number of at least ${schema.minimum}` };
  }
  if (Array.isArray(value)) return visitItems(schema, value, path, definitions);
  if (isObject(value)) return visitMembers(schema, value, path, definitions);
  return undefined;
}

function visitItems(
  schema: PlainSchema,
  value: readonly unknown[],
  path: string,
  definitions: Definitions,
): Problem | undefined {
  if (!schema.items) return undefined;
  for (const [index, item] of value.entries()) {
    const problem = visit(schema.items, item, `${path}/${index}`, definitions);
    if (problem) return problem;
  }
  return undefined;
}

function visitMembers(
  schema: PlainSchema,
  value: JsonObject,
  path: string,
  definitions: Definitions,
): Problem | undefined {
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    const member = schema.properties?.[name];
    return {
      path: `${path}/${name}`,
      expected: `${member ? describe(member, definitions) : 'a value'}, but it is missing`,
    };
  }
  for (const [name, member] of Object.entries(value)) {
    const known = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const part = known ?? schema.additionalProperties;
    const absent = known !== undefined && member === undefined && !schema.required?.includes(name);
    const problem = part && !absent ? visit(part, member, `${path}/${escapePointer(name)}`, definitions) : undefined;
    if (problem) return problem;
  }
  return undefined;
}

function visitUnion(
  variants: readonly PlainSchema[],
  value: unknown,
  path: string,
  definitions: Definitions,
): Problem | undefined {
  const known = variants.filter((variant) => !isUnknownVariant(variant));
  const open = known.length < variants.length;
  const tag = discriminatorOf(known);
  if (tag && isObject(value)) {
    const given = Object.hasOwn(value, tag.property) ? value[tag.property] : undefined;
    const variant = tag.variants.get(given as string);
    if (variant) return visit(variant, value, path, definitions);
    if (open && typeof given === 'string') return undefined;
    const tags = [...tag.variants.keys()].map(show).join(', ');
    return { path: `${path}/${tag.property}`, expected: open ? 'a string' : `one of ${tags}` };
  }
  if (known.some((variant) => visit(variant, value, path, definitions) === undefined)) return undefined;
  const expected = new Set(known.map((variant) => describe(variant, definitions)));
  return { path, expected: [...expected].join(' or ') };
}

function describe(schema: PlainSchema, definitions: Definitions): string {
  if (schema.$ref) return describe(definitions[schema.$ref.slice('#/$defs/'.length)] ?? {}, definitions);
  if (schema.title) return schema.type ? `${nameOfType(schema.type)} (${schema.title})` : schema.title;
  if (schema.const !== undefined) return show(schema.const);
  if (schema.enum) return `one of ${schema.enum.map(show).join(', ')}`;
  if (schema.anyOf) return [...new Set(schema.anyOf.map((variant) => describe(variant, definitions)))].join(' or ');
  return schema.type ? nameOfType(schema.type) : 'a value';
}

function hasType(type: NonNullable<PlainSchema['type']>, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'null':
      return value === null;
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
  }
}

function nameOfType(type: NonNullable<PlainSchema['type']>): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function show(value: unknown): string {
  return JSON.stringify(value);
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
