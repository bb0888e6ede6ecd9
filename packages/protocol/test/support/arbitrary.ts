import fc from 'fast-check';
import type { TSchema } from '../../src/common/type.js';
import { type PlainSchema, toPlainSchema } from '../../src/validation/plain-schema.js';

/**
 * Values that a schema allows, built from the schema itself. Strings come from a small pool, whatever they mean: then
 * the id in an action often is the id of something in the state.
 */
export function arbitraryOf(schema: TSchema): fc.Arbitrary<unknown> {
  const plain = toPlainSchema(schema);
  return build(plain, { definitions: plain.$defs ?? {}, nesting: 0 });
}

/** Anything that JSON can carry, small. */
export const arbitraryJson: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2, depthSize: 'xsmall' });

/** Keys that a careless object would take for its own. */
const awkwardKeys = ['__proto__', 'constructor', 'toString'];

export const arbitraryKey = fc.constantFrom('a', 'b', 'c', 'a', 'b', ...awkwardKeys);

const text = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('a', 'a', 'b', 'c', '') },
  { weight: 1, arbitrary: fc.constantFrom(...awkwardKeys) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
);

const integer = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2, max: 100 }) },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
);

const status = fc.oneof(
  fc.constantFrom(1, 2, 8, 24, 32 + 1, 64 + 24, 2 ** 31 + 8, 2 ** 31 + 512 + 32 + 2),
  fc.nat(2 ** 31),
);

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0); // JSON has no -0

interface Scope {
  readonly definitions: Readonly<Record<string, PlainSchema>>;
  /** How often the schema has entered itself. */
  readonly nesting: number;
}

const DEEPEST_NESTING = 2;

function build(schema: PlainSchema, scope: Scope): fc.Arbitrary<unknown> {
  if (schema.$ref) {
    const target = scope.definitions[schema.$ref.slice('#/$defs/'.length)];
    if (!target) throw new Error(`${schema.$ref} leads nowhere`);
    return build(target, { ...scope, nesting: scope.nesting + 1 });
  }
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((variant) => build(variant, scope)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      return text;
    case 'integer':
      return schema.minimum === undefined ? integer : status.map((value) => Math.max(value, schema.minimum ?? 0));
    case 'number':
      return number;
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(build(schema.items ?? {}, scope), { maxLength: 3, depthIdentifier: 'wire' });
    case 'object':
      return schema.additionalProperties ? buildMap(schema.additionalProperties, scope) : buildObject(schema, scope);
    default:
      return arbitraryJson;
  }
}

function buildMap(values: PlainSchema, scope: Scope): fc.Arbitrary<unknown> {
  const entry = fc.tuple(arbitraryKey, build(values, scope));
  return fc.array(entry, { maxLength: 2, depthIdentifier: 'wire' }).map((entries) => Object.fromEntries(entries));
}

function buildObject(schema: PlainSchema, scope: Scope): fc.Arbitrary<unknown> {
  const required = schema.required ?? [];
  const members = Object.entries(schema.properties ?? {})
    .filter(([name, member]) => required.includes(name) || scope.nesting < DEEPEST_NESTING || !entersItself(member))
    .map(([name, member]) => [name, build(member, scope)] as const);
  const object = fc.record(Object.fromEntries(members), { requiredKeys: [...required], noNullPrototype: true });
  return fc.oneof(
    { weight: 9, arbitrary: object },
    { weight: 1, arbitrary: fc.tuple(object, arbitraryJson).map(([known, future]) => ({ ...known, future })) },
  );
}

function entersItself(schema: PlainSchema): boolean {
  if (schema.$ref) return true;
  return [schema.items, schema.additionalProperties].some((part) => part !== undefined && entersItself(part));
}
