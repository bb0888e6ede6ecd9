import { type AnyObject, type MembersOf, type TObject, type TOptional, type TSchema, Type } from './type.js';

/** Gives a schema the name under which it is published; nested uses become a reference to that name. */
export function named<S extends TSchema>(title: string, schema: S): S {
  return Object.assign(schema, { title });
}

/**
 * The schema of an interface, under its name. It has to name every member of the interface, with the same type, and
 * none besides: otherwise it does not compile.
 */
export function object<T>(title: string, members: MembersOf<T>): TObject<T> {
  return named(title, Type.Object(members as Record<string, TSchema>)) as TObject<T>;
}

/** An optional member. `undefined` is allowed in memory because JSON.stringify drops it: on the wire it is absent. */
export function optional<T>(schema: TSchema<T>): TOptional<T | undefined> {
  return Type.Optional<T | undefined>(schema as TSchema);
}

/** The wire values of an enum that is written as a plain object. */
export type EnumValue<E extends Record<string, string | number>> = E[keyof E];

/** The schema of a string enum that is written as a plain object of names and wire values. */
export function enumSchema<E extends Record<string, string>>(title: string, members: E): TSchema<EnumValue<E>> {
  return named(title, Type.Unsafe<EnumValue<E>>({ enum: Object.values(members) }));
}

/** An object whose members the protocol leaves to implementations, such as `_meta`. */
export function freeForm(): TSchema<Record<string, unknown>> {
  return Type.Record(Type.Unknown());
}

/** `{}` stands for "supported"; members that later versions add are tolerated. */
export function presenceFlag(): TSchema<AnyObject> {
  return Type.Object({});
}

export function anyObject(): TSchema<AnyObject> {
  return Type.Object({});
}

/** Every member optional, as in change lists; `null` clears a member that may be absent. */
export type Partially<T> = {
  [K in keyof T]?: (undefined extends T[K] ? T[K] | null : T[K]) | undefined;
};

export function partial<T>(schema: TObject<T>): TSchema<Partially<T>> {
  const members = Object.entries(schema.properties as Record<string, TSchema>).map(([name, member]) => {
    const change = Type.IsOptional(member) ? Type.Union([member, Type.Null()]) : member;
    return [name, Type.Optional(change)] as const;
  });
  return Type.Object(Object.fromEntries(members)) as TSchema;
}
