import type { Random } from '../random.js';
import type { Values } from './values.js';

type Holder = Record<string, unknown> | unknown[];

/** A copy with one place changed: a member gone, renamed, added, or of another type. Some are still valid. */
export function spoil<T extends object>(value: T, random: Random, values: Values): T {
  const copy = structuredClone(value);
  const places = placesIn(copy);
  const place = places.length > 0 ? random.pick(places) : undefined;
  if (!place) return values.json() as T;
  const { holder, key } = place;
  const other = random.chance(0.5) ? values.json(3) : random.pick<unknown>([null, 0.5, -1, 2 ** 60, {}, [], '', true]);
  if (Array.isArray(holder)) holder[Number(key)] = other;
  else {
    const kind = random.below(4);
    if (kind === 0) delete holder[key];
    else if (kind === 1) define(holder, values.key(), other);
    else if (kind === 2) {
      define(holder, values.key(), holder[key]);
      delete holder[key];
    } else define(holder, key, other);
  }
  return copy;
}

function placesIn(value: unknown): { holder: Holder; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

/** Defined and not assigned: the key may be `__proto__`. */
function define(holder: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, configurable: true, enumerable: true, writable: true });
}
