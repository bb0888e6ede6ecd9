import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Discriminator, discriminatorOf, type TagValue } from './discriminator.js';
import { isUnknownVariant } from './loosen.js';
import { mapParts, type PlainSchema } from './plain-schema.js';

/** Generates code for a schema, which is what Node runs fastest. `compile-by-use.ts` says for which; browsers do without. */
export function compile(schema: PlainSchema): (value: unknown) => boolean {
  const compiled = Compile(dispatchLargeUnions(schema, schema.$defs) as TSchema);
  return compiled.Check.bind(compiled);
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
