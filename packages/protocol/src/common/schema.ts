import type { Static, TOptional, TRecord, TSchema, TUndefined, TUnion } from 'typebox';
import { Type } from './type.js';

/** Gives a schema the name under which it is published; nested uses become a reference to that name. */
export function named<S extends TSchema>(title: string, schema: S): S {
  return Object.assign(schema, { title });
}

/** An optional member. `undefined` is allowed in memory because JSON.stringify drops it: on the wire it is absent. */
export function optional<S extends TSchema>(schema: S): TOptional<TUnion<[S, TUndefined]>> {
  return Type.Optional(schema) as unknown as TOptional<TUnion<[S, TUndefined]>>;
}

/** The wire values of an enum that is written as a plain object. */
export type EnumValue<E extends Record<string, string | number>> = E[keyof E];

/** The schema of a string enum that is written as a plain object of names and wire values. */
export function enumSchema<E extends Record<string, string>>(title: string, members: E) {
  return named(title, Type.Unsafe<EnumValue<E>>({ enum: Object.values(members) }));
}

/** An object whose members the protocol leaves to implementations, such as `_meta`. */
export function freeForm(): TRecord<string, ReturnType<typeof Type.Unknown>> {
  return Type.Record(Type.String(), Type.Unknown());
}

/** `{}` stands for "supported"; members that later versions add are tolerated. */
export function presenceFlag() {
  return Type.Object({});
}

export function anyObject() {
  return Type.Object({});
}

type Change<T> = undefined extends T ? T | null : T;

/** Every member of an object optional, as in change lists; `null` clears a member that may be absent (OQ-25). */
export function partial<S extends ReturnType<typeof Type.Object>>(schema: S) {
  const members = Object.entries(schema.properties).map(([name, member]) => {
    const change = Type.IsOptional(member) ? Type.Union([member, Type.Null()]) : member;
    return [name, Type.Optional(change)] as const;
  });
  return Type.Unsafe<{ [K in keyof Static<S>]?: Change<Static<S>[K]> | undefined }>(
    Type.Object(Object.fromEntries(members)),
  );
}
