/** An operation was refused, and nothing was changed. The message tells people why. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
}

/** There is nothing to do in this folder, which does not keep the operation from being done in others. */
export class NothingToDo extends OperationRefused {}
