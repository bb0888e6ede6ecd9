/** A pairing code or the secret of an invitation as the host prints it, alone or in a link. */
export function pairingCodeIn(text: string): string | undefined {
  const found = /#pair=([\w-]+)/.exec(text)?.[1] ?? text.trim();
  const isCode = /^[0-9a-z]{4}-?[0-9a-z]{4}-?[0-9a-z]{4}$/i.test(found);
  return isCode || text.includes('#pair=') ? found : undefined;
}

/** The code in the link that opened the page. It is removed from the address at once. */
export function takePairingCode(): string | undefined {
  if (!location.hash.startsWith('#pair=')) return undefined;
  const code = pairingCodeIn(location.hash);
  history.replaceState(null, '', location.pathname);
  return code;
}

/** Exchanges a code for the token; throws with a sentence for the user if it is no longer good. */
export async function redeemPairingCode(code: string): Promise<string> {
  const response = await fetch('/pair', { method: 'POST', headers: { 'X-Moorage-Pairing': code } });
  if (response.status === 429) throw new Error('Too many wrong codes. Wait a minute, then try again.');
  if (!response.ok) throw new Error('This code is wrong, was used, or is too old. Ask for another one: moorage pair');
  const { token } = (await response.json()) as { token: string };
  return token;
}
