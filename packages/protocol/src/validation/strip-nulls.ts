/** Members that are free-form: a `null` inside them is the sender's own business. */
const FREE_FORM = new Set(['_meta', 'config', 'structuredContent']);

/**
 * JSON cannot write "undefined", so some clients send `null` for a member they mean to leave out (OQ-24). Such members
 * of an action, and of the input request in one, are dropped before it is validated. The same object when there are none.
 */
export function stripNulls<T extends object>(action: T): T {
  let clean = dropNulls(action);
  const request = (clean as { request?: unknown }).request;
  if (typeof request === 'object' && request !== null) {
    const cleanRequest = dropNulls(request);
    if (cleanRequest !== request) clean = { ...clean, request: cleanRequest };
  }
  return clean;
}

function dropNulls<T extends object>(object: T): T {
  if (!Object.entries(object).some(isDroppable)) return object;
  return Object.fromEntries(Object.entries(object).filter((entry) => !isDroppable(entry))) as T;
}

function isDroppable([name, value]: readonly [string, unknown]): boolean {
  // `activeClient: null` is the protocol's own way to release the role (B-14).
  return value === null && !FREE_FORM.has(name) && name !== 'activeClient';
}
