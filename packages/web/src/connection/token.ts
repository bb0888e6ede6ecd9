/**
 * The token comes in the fragment of the link that the host prints. It leaves the address at once, so that it is neither in
 * the history nor in a screenshot, and stays with this tab only.
 */
const KEY = 'ahpd.token';

export function takeToken(): string | undefined {
  const found = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (found !== undefined) {
    sessionStorage.setItem(KEY, decodeURIComponent(found));
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
}

/** What somebody pasted: the token itself, or the link that holds it. */
export function tokenIn(text: string): string {
  return decodeURIComponent(/[#?&](?:token|tkn)=([^&\s]+)/.exec(text)?.[1] ?? text.trim());
}
