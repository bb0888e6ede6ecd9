import type Typebox from 'typebox';

/** The builders that the wire's schemas need. */
type Builders = Pick<
  typeof Typebox,
  | 'Array'
  | 'Boolean'
  | 'Cyclic'
  | 'Enum'
  | 'Integer'
  | 'IsOptional'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'Ref'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>;

interface Schema {
  readonly [keyword: string]: unknown;
}

type Members = Readonly<Record<string, Schema>>;

/** Members that may be left out: not visible in the JSON Schema of the member, but in that of its object. */
const OPTIONAL = '~optional';

/**
 * TypeBox's builders, as far as we use them: its types, and the same JSON Schemas without its 100 kB. A client needs the
 * schemas in a browser, where every byte is loaded by somebody who waits.
 */
export const Type = {
  Array: (items: Schema) => ({ type: 'array', items }),
  Boolean: () => ({ type: 'boolean' }),
  Cyclic: ($defs: Members, $ref: string) => ({ $defs, $ref }),
  Enum: (values: readonly unknown[]) => ({ enum: values }),
  Integer: (options: Schema = {}) => ({ type: 'integer', ...options }),
  IsOptional: (schema: Schema) => OPTIONAL in schema,
  Literal: (value: string | number | boolean) => ({ type: typeof value, const: value }),
  Null: () => ({ type: 'null' }),
  Number: (options: Schema = {}) => ({ type: 'number', ...options }),
  Object: (properties: Members) => {
    const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] ?? {})));
    return { type: 'object', ...(required.length > 0 && { required }), properties };
  },
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Record: (_key: Schema, values: Schema) => ({ type: 'object', patternProperties: { '^.*$': values } }),
  Ref: ($ref: string) => ({ $ref }),
  String: (options: Schema = {}) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly Schema[]) => ({ anyOf }),
  Unknown: () => ({}),
  Unsafe: (schema: Schema) => schema,
} as unknown as Builders;
