/** A JSON Schema of values of type T. */
// biome-ignore lint/suspicious/noExplicitAny: a schema of anything; T is invariant, so `unknown` would take none
export interface TSchema<T = any> {
  /** Never there. It makes the compiler compare what a schema says with the interface that it is declared for. */
  readonly '~type'?: (value: T) => T;
}

/** The schema of a member that may be absent. */
export interface TOptional<T> extends TSchema<T> {
  readonly '~optional': true;
}

/** The schema of a member that is always there. */
interface TRequired<T> extends TSchema<T> {
  readonly '~optional'?: never;
}

/** The schema of an object; other schemas may take over its members. */
// biome-ignore lint/suspicious/noExplicitAny: see TSchema
export interface TObject<T = any> extends TSchema<T> {
  /** The schemas of its members. */
  readonly properties: MembersOf<T>;
}

/** The schemas of an interface's members: all of them, optional exactly where the interface says so. */
export type MembersOf<T> = {
  readonly [K in keyof T]-?: AnyObject extends Pick<T, K> ? TOptional<T[K]> : TRequired<T[K]>;
};

/** The values that a schema describes. */
export type Static<S extends TSchema> = S extends TSchema<infer T> ? T : never;

/** An object of which nothing is known. */
// biome-ignore lint/complexity/noBannedTypes: it says just that
export type AnyObject = {};

/** What a schema may say besides its type. */
export interface SchemaOptions {
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

type Members = Readonly<Record<string, TSchema>>;
type OptionalNames<M> = { [K in keyof M]: M[K] extends { '~optional': true } ? K : never }[keyof M];
type ObjectOf<M extends Members> = Flat<
  { [K in Exclude<keyof M, OptionalNames<M>>]: Static<M[K]> } & { [K in OptionalNames<M>]?: Static<M[K]> }
>;
type Flat<T> = { [K in keyof T]: T[K] };

/** Members that may be left out: not visible in the JSON Schema of the member, but in that of its object. */
const OPTIONAL = '~optional';

/**
 * Builds the wire's schemas, as JSON Schemas with the type of their values. A library for it would cost a browser 100 kB,
 * and everybody who compiles against the client 300,000 types.
 */
export const Type = {
  Array: <S extends TSchema>(items: S, options: SchemaOptions = {}) =>
    schema<Static<S>[]>({ type: 'array', items, ...options }),
  Boolean: (options: SchemaOptions = {}) => schema<boolean>({ type: 'boolean', ...options }),
  Cyclic: ($defs: Members, $ref: string) => schema<unknown>({ $defs, $ref }),
  Enum: <const V extends string | number>(values: readonly V[]) => schema<V>({ enum: values }),
  Integer: (options: SchemaOptions = {}) => schema<number>({ type: 'integer', ...options }),
  IsOptional: (member: TSchema) => OPTIONAL in member,
  Literal: <const V extends string | number | boolean>(value: V) => schema<V>({ type: typeof value, const: value }),
  Null: () => schema<null>({ type: 'null' }),
  Number: (options: SchemaOptions = {}) => schema<number>({ type: 'number', ...options }),
  Object: <M extends Members>(properties: M) => {
    const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] ?? {})));
    return { type: 'object', ...(required.length > 0 && { required }), properties } as unknown as TObject<ObjectOf<M>>;
  },
  Optional: <T>(member: TSchema<T>): TOptional<T> =>
    Object.defineProperty({ ...member } as TOptional<T>, OPTIONAL, { value: true }),
  Record: <S extends TSchema>(values: S) =>
    schema<Record<string, Static<S>>>({ type: 'object', patternProperties: { '^.*$': values } }),
  Ref: <T>($ref: string) => schema<T>({ $ref }),
  String: (options: SchemaOptions = {}) => schema<string>({ type: 'string', ...options }),
  Union: <const S extends readonly TSchema[]>(anyOf: S) => schema<Static<S[number]>>({ anyOf }),
  Unknown: () => schema<unknown>({}),
  /** A schema with a type that it does not have by itself. */
  Unsafe: <T>(described: TSchema | object) => schema<T>(described),
};

function schema<T>(described: object): TSchema<T> {
  return described;
}
