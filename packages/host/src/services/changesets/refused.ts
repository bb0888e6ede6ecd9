/** Why an operation was not done; nothing was changed. The message is for people. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
}
