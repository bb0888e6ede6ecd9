import type { lenient } from '@moorage/protocol';

type Schema = Parameters<typeof lenient>[0];

/**
 * The schema of a message with one member left open, to be checked by itself later. Without the states and actions in it
 * the validator compiles in a hundredth of the time, which counts at every start.
 */
export function withOpenMember<S extends Schema>(schema: S, member: string, type: 'array' | 'object'): S {
  const { properties } = schema as { properties?: object };
  return { ...schema, properties: { ...properties, [member]: { type } } };
}
