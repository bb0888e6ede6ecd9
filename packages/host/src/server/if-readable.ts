import { StoreError } from '../ports/store.js';

/** One thing among others: damage to it must not keep a client from the rest. Who asks for it alone is told. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'broken') return undefined;
    throw error;
  }
}
