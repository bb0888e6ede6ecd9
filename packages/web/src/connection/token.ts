import { decoded } from '../ui/format.js';
import { forgetClientId } from './client-id.js';

/**
 * The token comes in the fragment of the link that the host prints. It leaves the address at once, so that it is neither in
 * the history nor in a screenshot, and stays with this tab only.
 */
const KEY = 'ahpd.token';

export function takeToken(): string | undefined {
  const found = location.hash.startsWith('#token=') ? tokenInLink(location.hash) : undefined;
  if (found !== undefined) {
    keepToken(found);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function keepToken(token: string): void {
  if (token !== sessionStorage.getItem(KEY)) forgetClientId();
  sessionStorage.setItem(KEY, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
}

/** The token that a link of a host holds, if it is one. */
export function tokenInLink(text: string): string | undefined {
  const found = /[#?&](?:token|tkn)=([^&\s]+)/.exec(text)?.[1];
  return found === undefined ? undefined : decoded(found);
}
