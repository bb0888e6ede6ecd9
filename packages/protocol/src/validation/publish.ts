import type { TSchema } from '../common/type.js';
import { discriminatorOf } from './discriminator.js';
import { mapParts, type PlainSchema, toPlainSchema } from './plain-schema.js';

export interface PublishedSchema {
  /** The version of JSON Schema. */
  readonly $schema: string;
  /** The name of the document. */
  readonly $id: string;
  /** The types, by name. */
  readonly $defs: Readonly<Record<string, unknown>>;
}

/**
 * One self-contained JSON Schema 2020-12 document: every named schema that the given ones reach stands once under
 * `$defs`, every use of it is a reference, and unions whose variants carry a tag are `oneOf`.
 */
export function publishSchemas(id: string, root: TSchema | undefined, others: readonly TSchema[]): PublishedSchema {
  const definitions = new Map<string, PlainSchema>();
  const top = root ? reference(toPlainSchema(root), definitions) : {};
  for (const schema of others) reference(toPlainSchema(schema), definitions);
  const sorted = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    ...top,
    $defs: Object.fromEntries(sorted),
  };
}

/** The schema with every named part defined once and referred to; a named schema becomes a reference itself. */
function reference(schema: PlainSchema, definitions: Map<string, PlainSchema>): PlainSchema {
  const { $defs, title, ...body } = schema;
  for (const [name, definition] of Object.entries($defs ?? {})) define(name, definition, definitions);
  if (title === undefined) return withReferences(body, definitions);
  if (!body.$ref) define(title, body, definitions);
  return { $ref: `#/$defs/${title}` };
}

function define(name: string, body: PlainSchema, definitions: Map<string, PlainSchema>): void {
  if (definitions.has(name)) return;
  definitions.set(name, {}); // claimed before descending: a schema may nest itself
  definitions.set(name, { title: name, ...withReferences(body, definitions) });
}

function withReferences(schema: PlainSchema, definitions: Map<string, PlainSchema>): PlainSchema {
  const referring = mapParts(schema, (part) => reference(part, definitions));
  if (!schema.anyOf || !discriminatorOf(schema.anyOf)) return referring;
  // Exclusive, because a tag tells the variants apart: validators then report the one variant that was meant.
  const { anyOf, ...rest } = referring;
  return { ...rest, oneOf: anyOf } as PlainSchema;
}
