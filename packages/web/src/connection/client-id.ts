import { randomId } from '@moorage/client';

/**
 * The client id of a tab survives a reload, because the host uses it to know who holds a terminal. It is in the tab's
 * storage only while no page uses it: a duplicated tab gets a copy of the storage, and must not get the same id.
 */
const KEY = 'moorage.client';
let inUse: string | undefined;

/** The id that the page left before a reload, and a new one on every later call. */
export function takeClientId(): string {
  if (inUse === undefined) keepWhileHidden();
  inUse = sessionStorage.getItem(KEY) ?? randomId();
  sessionStorage.removeItem(KEY);
  return inUse;
}

/** To be called when the token changes: a host binds a client id to the token it was first used with. */
export function forgetClientId(): void {
  sessionStorage.removeItem(KEY);
}

function keepWhileHidden(): void {
  addEventListener('pagehide', () => inUse !== undefined && sessionStorage.setItem(KEY, inUse));
  addEventListener('pageshow', ({ persisted }) => persisted && sessionStorage.removeItem(KEY));
}
