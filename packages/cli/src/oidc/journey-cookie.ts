import type { IncomingMessage } from 'node:http';
import type { Journey } from './provider.js';

/**
 * What a browser keeps while it is at the provider. It binds the journey to that browser; who steals it has no code, and a code
 * counts once. No page can read it, and other sites make the browser send it only by going to ours.
 */
export function keptJourney({ state, nonce, verifier }: Journey, isSecure: boolean): string {
  return cookie([state, nonce, verifier].join('.'), MAX_AGE_S, isSecure);
}

export function clearedJourney(isSecure: boolean): string {
  return cookie('', 0, isSecure);
}

export function journeyIn({ headers }: IncomingMessage, isSecure: boolean): Journey | undefined {
  const name = nameOf(isSecure);
  const all = (headers.cookie ?? '').split(';').map((part) => part.trim());
  const value = all.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const [, state, nonce, verifier] = /^([\w-]{16,128})\.([\w-]{16,128})\.([\w-]{43,128})$/.exec(value) ?? [];
  return state !== undefined && nonce !== undefined && verifier !== undefined ? { state, nonce, verifier } : undefined;
}

/** Seconds at the provider: as long as it takes to find the second factor. */
const MAX_AGE_S = 15 * 60;

/** With this prefix, a browser takes it only from exactly this host, over TLS. */
function nameOf(isSecure: boolean): string {
  return isSecure ? '__Host-moorage-sign-in' : 'moorage-sign-in';
}

function cookie(value: string, maxAge: number, isSecure: boolean): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${maxAge}`, ...(isSecure ? ['Secure'] : [])];
  return [`${nameOf(isSecure)}=${value}`, ...attributes].join('; ');
}
