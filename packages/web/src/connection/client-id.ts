import { randomId } from '@ahpd/client';

/**
 * The name of this tab to its host outlives a reload, because the host knows by it who holds a terminal. It is in the
 * storage only while no page uses it: a tab that is a copy of another one has that one's storage, and must not have its name.
 */
const KEY = 'ahpd.client';
let inUse: string | undefined;

/** The name that the page before this one left, and another one each time after that. */
export function takeClientId(): string {
  if (inUse === undefined) keepWhileHidden();
  inUse = sessionStorage.getItem(KEY) ?? randomId();
  sessionStorage.removeItem(KEY);
  return inUse;
}

/** For when somebody comes with another token: a host binds a name to the token that it was first used with. */
export function forgetClientId(): void {
  sessionStorage.removeItem(KEY);
}

function keepWhileHidden(): void {
  addEventListener('pagehide', () => inUse !== undefined && sessionStorage.setItem(KEY, inUse));
  addEventListener('pageshow', ({ persisted }) => persisted && sessionStorage.removeItem(KEY));
}
