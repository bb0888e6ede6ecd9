import { decoded } from '../ui/format.js';
import { forgetClientId } from './client-id.js';

/**
 * The token comes in the fragment of the link that the host prints. It is removed from the URL at once, to keep it out of
 * the history and of screenshots, and is kept for this tab only, unless the browser is to stay signed in.
 */
const KEY = 'moorage.token';

export function takeToken(): string | undefined {
  const found = location.hash.startsWith('#token=') ? tokenInLink(location.hash) : undefined;
  if (found !== undefined) {
    const rest = new URLSearchParams(location.hash.slice(1));
    rest.delete('token');
    // A link to one session is for this tab: it must not sign the browser in for everything.
    if (rest.has('session')) keepInTab(found);
    else keepToken(found);
    history.replaceState(null, '', location.pathname + (rest.size > 0 ? `#${rest}` : ''));
  }
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined;
}

function keepInTab(token: string): void {
  if (token !== sessionStorage.getItem(KEY)) forgetClientId();
  sessionStorage.setItem(KEY, token);
}

export function keepToken(token: string): void {
  keepInTab(token);
  if (localStorage.getItem(KEY) !== null) localStorage.setItem(KEY, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
}

/** Keeps the token for all tabs of this browser, also later, or for this tab only. */
export function rememberToken(remember: boolean): void {
  const token = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
  if (token === null) return;
  sessionStorage.setItem(KEY, token);
  if (remember) localStorage.setItem(KEY, token);
  else localStorage.removeItem(KEY);
}

/** The token in a host's link, if there is one. */
export function tokenInLink(text: string): string | undefined {
  const found = /[#?&](?:token|tkn)=([^&\s]+)/.exec(text)?.[1];
  return found === undefined ? undefined : decoded(found);
}
