import { discriminatorOf } from './discriminator.js';
import { mapParts, type PlainSchema } from './plain-schema.js';

/** A variant of a tagged union that a later version added: any object whose tag is a string we do not know (B-334). */
export interface UnknownVariant extends PlainSchema {
  readonly unknownTag: { readonly property: string; readonly known: readonly string[] };
}

/**
 * The schema for what we receive: unknown enum values, unknown union variants and fractional numbers pass, so that we
 * understand a peer of a later version as far as possible. Members that we know keep their types.
 */
export function loosen(schema: PlainSchema): PlainSchema {
  if (schema.enum) return withTitle(schema, { type: 'string' });
  const loose = mapParts(schema, loosen);
  if (loose.type === 'integer') return { ...loose, type: 'number' };
  if (!loose.anyOf || !schema.anyOf) return loose;
  const tag = discriminatorOf(schema.anyOf);
  if (!tag) return loose;
  const known = [...tag.variants.keys()].filter((value) => typeof value === 'string');
  if (known.length !== tag.variants.size) return loose;
  // Tags stay exact, or an unknown variant would pass as any known one.
  const exact = loose.anyOf.map((variant, index) => keepTag(variant, schema.anyOf?.[index] ?? variant, tag.property));
  const unknown: UnknownVariant = {
    type: 'object',
    properties: { [tag.property]: { type: 'string' } },
    required: [tag.property],
    unknownTag: { property: tag.property, known },
  };
  return { ...loose, anyOf: [...exact, unknown] };
}

/**
 * The schema for what we are asked to do: the direct members of an action or of parameters must have values that we know,
 * or we would do something other than what was meant. Deeper inside, what later versions added may pass.
 */
export function loosenInside(schema: PlainSchema): PlainSchema {
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(loosenInside) };
  return mapParts(schema, (part) => (part.enum || part.type === 'integer' ? part : loosen(part)));
}

export function isUnknownVariant(schema: PlainSchema): schema is UnknownVariant {
  return 'unknownTag' in schema;
}

function keepTag(loose: PlainSchema, exact: PlainSchema, property: string): PlainSchema {
  const member = exact.properties?.[property];
  if (!member || !loose.properties) return loose;
  return { ...loose, properties: { ...loose.properties, [property]: member } };
}

function withTitle(from: PlainSchema, schema: PlainSchema): PlainSchema {
  return from.title === undefined ? schema : { ...schema, title: from.title };
}
