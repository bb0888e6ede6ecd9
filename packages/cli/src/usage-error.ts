/** The command cannot work as it was called. The message says what to change, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
