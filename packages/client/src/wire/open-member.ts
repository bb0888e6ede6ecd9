import type { lenient } from '@ahpd/protocol';

type Schema = Parameters<typeof lenient>[0];

/**
 * The schema of a message in which one member may be any list or object, because it is read by itself later. Without
 * the states and actions in it a validator is compiled in a hundredth of the time, which every start pays.
 */
export function withOpenMember<S extends Schema>(schema: S, member: string, type: 'array' | 'object'): S {
  const { properties } = schema as { properties?: object };
  return { ...schema, properties: { ...properties, [member]: { type } } };
}
