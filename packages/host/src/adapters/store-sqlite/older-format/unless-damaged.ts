/** Undefined for a text that makes no sense. What is only too long is thrown, like errors of SQLite. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const isExpected = error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;
    if (!isExpected || isTooLong(error)) throw error;
    return undefined;
  }
}

/** The same, for a text that may also be too long to be read. */
export function unlessUnreadable<T>(read: () => T): T | undefined {
  try {
    return unlessDamaged(read);
  } catch (error) {
    if (!isTooLong(error)) throw error;
    return undefined;
  }
}

/** Whether a text does not fit into a string. SQLite and JSON say so in different ways. */
function isTooLong(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 'ERR_STRING_TOO_LONG' || (error instanceof RangeError && message === 'Invalid string length');
}
