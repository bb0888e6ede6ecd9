import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Discriminator, discriminatorOf, type TagValue } from './discriminator.js';
import { explain, type Problem } from './explain.js';
import { isUnknownVariant, loosen, loosenInside } from './loosen.js';
import { mapParts, type PlainSchema, toPlainSchema } from './plain-schema.js';

/** Checks values against a schema. */
export interface Validator<T> {
  check(value: unknown): value is T;
  /** Why the value is not valid, or undefined when it is. */
  explain(value: unknown): Problem | undefined;
  /** The value itself, typed; throws a ValidationError that names the place and what was expected. */
  parse(value: unknown): T;
}

/** A value is not what its schema asks for; says where, and what was expected there. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  readonly path: string;
  readonly expected: string;

  constructor(problem: Problem) {
    super(`${problem.path || 'value'}: expected ${problem.expected}`);
    this.path = problem.path;
    this.expected = problem.expected;
  }
}

/** For what we send: exactly the wire's shapes, closed enums and unions. Unknown members are always allowed (B-335). */
export function strict<S extends TSchema>(schema: S): Validator<Static<S>> {
  return cached(strictCache, schema, () => build<Static<S>>(() => toPlainSchema(schema)));
}

/** For what we receive: what later versions may add passes, see `loosen`. */
export function lenient<S extends TSchema>(schema: S): Validator<Static<S>> {
  return cached(lenientCache, schema, () => build<Static<S>>(() => loosen(toPlainSchema(schema))));
}

/** For what we are asked to do: strict on its own members, lenient on what they carry, see `loosenInside`. */
export function command<S extends TSchema>(schema: S): Validator<Static<S>> {
  return cached(commandCache, schema, () => build<Static<S>>(() => loosenInside(toPlainSchema(schema))));
}

const commandCache = new WeakMap<TSchema, Validator<unknown>>();
const strictCache = new WeakMap<TSchema, Validator<unknown>>();
const lenientCache = new WeakMap<TSchema, Validator<unknown>>();

/** Compiled on first use: a program that needs few messages does not pay for all of them at start. */
function build<T>(makeSchema: () => PlainSchema): Validator<T> {
  let made: PlainSchema | undefined;
  const schemaOf = () => {
    made ??= makeSchema();
    return made;
  };
  let check = (value: unknown): boolean => {
    check = compile(schemaOf());
    return check(value);
  };
  return {
    check: (value): value is T => check(value),
    explain: (value) => (check(value) ? undefined : explain(schemaOf(), value)),
    parse(value) {
      if (check(value)) return value as T;
      const schema = schemaOf();
      throw new ValidationError(explain(schema, value) ?? { path: '', expected: schema.title ?? 'another value' });
    },
  };
}

function compile(schema: PlainSchema): (value: unknown) => boolean {
  const compiled = Compile(dispatchLargeUnions(schema, schema.$defs) as TSchema);
  return (value) => compiled.Check(value);
}

/** A union with more variants than this is checked by looking up its tag; trying 74 action shapes costs 20 times more. */
const LARGE_UNION_VARIANTS = 8;

function dispatchLargeUnions(schema: PlainSchema, definitions: PlainSchema['$defs']): PlainSchema {
  if (schema.anyOf && schema.anyOf.length > LARGE_UNION_VARIANTS) {
    const known = schema.anyOf.filter((variant) => !isUnknownVariant(variant));
    const tag = discriminatorOf(known);
    if (tag) return byTag(tag, known.length < schema.anyOf.length, definitions) as PlainSchema;
  }
  if (isUnknownVariant(schema)) {
    const { property, known } = schema.unknownTag;
    return { type: 'object', required: [property], properties: { [property]: notOneOf(known) } };
  }
  return mapParts(schema, (part) => dispatchLargeUnions(part, definitions));
}

function byTag(tag: Discriminator, open: boolean, definitions: PlainSchema['$defs']): TSchema {
  const checks = new Map<unknown, (value: unknown) => boolean>();
  const checkOf = (value: unknown) => {
    const known = checks.get(value);
    if (known) return known;
    const variant = tag.variants.get(value as TagValue);
    if (!variant) return () => open && typeof value === 'string';
    const check = compile(definitions ? { ...variant, $defs: definitions } : variant);
    checks.set(value, check);
    return check;
  };
  return Type.Refine(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), (value) =>
    Object.hasOwn(value, tag.property) ? checkOf(value[tag.property])(value) : false,
  );
}

function notOneOf(known: readonly string[]): PlainSchema {
  return { type: 'string', not: { enum: known } } as PlainSchema;
}

function cached<T>(
  cache: WeakMap<TSchema, Validator<unknown>>,
  schema: TSchema,
  make: () => Validator<T>,
): Validator<T> {
  const found = cache.get(schema);
  if (found) return found as Validator<T>;
  const made = make();
  cache.set(schema, made);
  return made;
}
