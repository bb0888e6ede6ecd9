import { lenient, type Static, type TSchema, ValidationError } from '@moorage/protocol';
import { ProtocolError } from '../errors.js';

/** What the host sent, checked; throws a ProtocolError that says what is wrong with it. */
export function read<S extends TSchema>(what: string, schema: S, value: unknown): Static<S> {
  try {
    return lenient(schema).parse(value);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ProtocolError(`the host sent an invalid ${what}: ${error.message}`, error);
  }
}
