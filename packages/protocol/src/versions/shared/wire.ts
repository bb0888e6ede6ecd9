import { isObject, type JsonObject } from '../../common/is-object.js';

/** An object of another version of the wire, whose members only its translator knows. */
export type WireObject = JsonObject;

export type WireAction = WireObject & { readonly type: string };

/** A value of our own version as an object of the wire: the same, without an interface that lists its members. */
export function toWire<T extends object>(value: T): T & WireObject {
  return value as T & WireObject;
}

/** The object without some members; the same object when it has none of them. */
export function without(object: WireObject, ...names: readonly string[]): WireObject {
  for (const name of names) {
    if (name in object) return Object.fromEntries(Object.entries(object).filter(([key]) => !names.includes(key)));
  }
  return object;
}

/** The object with one member replaced, if it has it. */
export function mapMember(object: WireObject, name: string, change: (value: unknown) => unknown): WireObject {
  if (object[name] === undefined) return object;
  const value = change(object[name]);
  return value === object[name] ? object : { ...object, [name]: value };
}

/** The same for a member that is an object; anything else stays for the validator to refuse. */
export function mapObject(object: WireObject, name: string, change: (value: WireObject) => WireObject): WireObject {
  const value = object[name];
  if (!isObject(value)) return object;
  const changed = change(value);
  return changed === value ? object : { ...object, [name]: changed };
}

/** Changes every object of a list; the same list when none changes. What is not a list stays for the validator to refuse. */
export function mapObjects(value: unknown, change: (object: WireObject, index: number) => WireObject): unknown {
  return mapShownObjects(value, change);
}

/** The same where objects can be left out. Copies nothing until something changes: snapshots may have thousands of parts. */
export function mapShownObjects(
  value: unknown,
  change: (object: WireObject, index: number) => WireObject | undefined,
): unknown {
  if (!Array.isArray(value)) return value;
  let changed: unknown[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const item: unknown = value[index];
    const next = isObject(item) ? change(item, index) : item;
    if (next !== item) changed ??= value.slice(0, index);
    if (changed && next !== undefined) changed.push(next);
  }
  return changed ?? value;
}

/** For what we made ourselves from validated values: it is an object, and the compiler should know. */
export function asObject(value: unknown): WireObject {
  return isObject(value) ? value : {};
}

export function asList(value: unknown): readonly WireObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** One member, if there is a value for it. */
export function defined(name: string, value: unknown): WireObject {
  return value === undefined ? {} : { [name]: value };
}

export function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
