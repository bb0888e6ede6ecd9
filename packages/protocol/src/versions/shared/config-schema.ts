import { isObject } from '../../common/is-object.js';
import { mapMember, type WireObject, without } from './wire.js';

/** A settings schema without `additionalProperties`, which versions before 0.4 do not know, at any depth. */
export function withoutAdditionalProperties(schema: WireObject): WireObject {
  const inside = mapMember(without(schema, 'additionalProperties'), 'properties', mapProperties);
  return mapMember(inside, 'items', (items) => (isObject(items) ? withoutAdditionalProperties(items) : items));
}

function mapProperties(properties: unknown): unknown {
  if (!isObject(properties)) return properties;
  const entries = Object.entries(properties);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isObject(value) ? withoutAdditionalProperties(value) : value]),
  );
}
