import type { PlainSchema } from './plain-schema.js';

export type TagValue = string | number | boolean;

/** A member that all variants of a union require, and whose value tells them apart. */
export interface Discriminator {
  readonly property: string;
  readonly variants: ReadonlyMap<TagValue, PlainSchema>;
}

/** Finds the discriminator of a union; undefined when only the shape of its variants tells them apart. */
export function discriminatorOf(variants: readonly PlainSchema[]): Discriminator | undefined {
  const first = variants[0];
  if (!first) return undefined;
  for (const property of requiredMembers(first)) {
    const byTag = groupByTag(variants, property);
    if (byTag) return { property, variants: byTag };
  }
  return undefined;
}

function groupByTag(variants: readonly PlainSchema[], property: string): Map<TagValue, PlainSchema> | undefined {
  const byTag = new Map<TagValue, PlainSchema>();
  for (const variant of variants) {
    const tags = tagValues(variant, property);
    if (tags.length === 0 || tags.some((tag) => byTag.has(tag))) return undefined;
    for (const tag of tags) byTag.set(tag, variant);
  }
  return byTag;
}

function tagValues(schema: PlainSchema, property: string): TagValue[] {
  if (schema.anyOf) return [...new Set(schema.anyOf.flatMap((variant) => tagValues(variant, property)))];
  const member = schema.required?.includes(property) ? schema.properties?.[property] : undefined;
  if (member?.const !== undefined) return [member.const];
  return member?.enum ? [...member.enum] : [];
}

function requiredMembers(schema: PlainSchema): readonly string[] {
  if (schema.anyOf) return schema.anyOf[0] ? requiredMembers(schema.anyOf[0]) : [];
  return schema.required ?? [];
}
