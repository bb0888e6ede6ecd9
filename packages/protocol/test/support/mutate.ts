import fc from 'fast-check';
import { arbitraryJson, arbitraryKey } from './arbitrary.js';

/** A value that was valid until one place in it was changed. Some of the results still are. */
export function mutated(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(value, fc.nat(), change).map(([original, at, edit]) => {
    const copy = structuredClone(original);
    const places = placesIn(copy);
    const place = places[at % places.length];
    if (!place) return edit.replacement;
    apply(place, edit);
    return copy;
  });
}

type Change = { kind: 'replace' | 'remove' | 'add' | 'rename'; replacement: unknown; name: string };

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'remove', 'add', 'rename'),
  replacement: fc.oneof(
    arbitraryJson,
    fc.constantFrom<unknown>(null, 0.5, -1, 2 ** 40, 'later', {}, [], true, undefined),
  ),
  name: arbitraryKey,
});

interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

function apply({ holder, key }: Place, { kind, replacement, name }: Change): void {
  if (Array.isArray(holder)) holder[Number(key)] = replacement;
  else if (kind === 'remove') delete holder[key];
  else if (kind === 'add') define(holder, name, replacement);
  else if (kind === 'rename') {
    define(holder, name, holder[key]);
    if (name !== key) delete holder[key];
  } else define(holder, key, replacement);
}

/** Defined and not assigned: the key may be `__proto__`. */
function define(holder: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, configurable: true, enumerable: true, writable: true });
}
