import type { TSchema } from '../common/type.js';

/** The part of JSON Schema that the wire uses, as plain data: what validators, explanations and publishing work on. */
export interface PlainSchema {
  readonly title?: string;
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly const?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly required?: readonly string[];
  readonly items?: PlainSchema;
  /** The schema of the values of a map; absent on ordinary objects, whose unknown members are free. */
  readonly additionalProperties?: PlainSchema;
  readonly anyOf?: readonly PlainSchema[];
  /** Only inside a schema that nests itself; names an entry of the root's `$defs`. */
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, PlainSchema>>;
}

/** Turns a TypeBox schema into plain data, with the definitions of self-nesting schemas gathered at the root. */
export function toPlainSchema(schema: TSchema): PlainSchema {
  const definitions: Record<string, PlainSchema> = {};
  const root = convert(schema as RawSchema, definitions);
  return Object.keys(definitions).length > 0 ? { ...root, $defs: definitions } : root;
}

/** What TypeBox builds, as far as we use it. */
interface RawSchema extends Omit<PlainSchema, 'properties' | 'items' | 'anyOf' | '$defs'> {
  properties?: Record<string, RawSchema>;
  items?: RawSchema;
  anyOf?: RawSchema[];
  patternProperties?: Record<string, RawSchema>;
  $defs?: Record<string, RawSchema>;
  $id?: string;
}

function convert(raw: RawSchema, definitions: Record<string, PlainSchema>): PlainSchema {
  const { properties, items, anyOf, patternProperties, $defs, $ref, $id: _, ...rest } = raw;
  for (const [name, definition] of Object.entries($defs ?? {})) {
    if (!Object.hasOwn(definitions, name)) definitions[name] = convert(definition, definitions);
  }
  const values = patternProperties && Object.values(patternProperties)[0];
  return {
    ...rest,
    ...($ref && { $ref: `#/$defs/${$ref}` }),
    ...(properties && { properties: mapValues(properties, (member) => convert(member, definitions)) }),
    ...(items && { items: convert(items, definitions) }),
    ...(anyOf && { anyOf: anyOf.map((variant) => convert(variant, definitions)) }),
    ...(values && { additionalProperties: convert(values, definitions) }),
  };
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** Applies a change to every direct part of a schema; the building block of schema transformations. */
export function mapParts(schema: PlainSchema, map: (part: PlainSchema) => PlainSchema): PlainSchema {
  return {
    ...schema,
    ...(schema.properties && { properties: mapValues(schema.properties, map) }),
    ...(schema.items && { items: map(schema.items) }),
    ...(schema.additionalProperties && { additionalProperties: map(schema.additionalProperties) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(map) }),
    ...(schema.$defs && { $defs: mapValues(schema.$defs, map) }),
  };
}
