/** An operation was refused, and nothing was changed. The message tells people why. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
}
