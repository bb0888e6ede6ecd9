/** Passes on a plain result in the same turn, so that answers keep their order, and a promised one when it settles. */
export function runHandler(
  call: () => unknown,
  onResult: (result: unknown) => void,
  onError: (error: unknown) => void,
): void {
  let outcome: unknown;
  let promised: boolean;
  try {
    outcome = call();
    promised = isPromiseLike(outcome);
  } catch (error) {
    onError(error);
    return;
  }
  if (promised) void Promise.resolve(outcome).then(onResult, onError);
  else onResult(outcome);
}

export function isPromiseLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
