import { StoreError } from '../ports/store.js';

/**
 * Undefined when what is read is damaged in the store. For reads of several channels, where one damaged channel must not
 * keep a client from the others; a client that asks for it alone gets the error.
 */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'broken') return undefined;
    throw error;
  }
}
