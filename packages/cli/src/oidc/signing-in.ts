import { type HttpHandler, type Log, nodeClock } from '@moorage/host';
import type { OidcSettings } from './options.js';
import type { SignInOptions } from './sign-in.js';

interface Surroundings extends Pick<SignInOptions, 'admit'> {
  readonly tls: unknown;
  readonly origins: readonly string[] | undefined;
  readonly log: Log;
}

/** Loads what speaks to providers, which only those need who use one. */
export async function signingIn(
  settings: OidcSettings,
  { tls, origins = [], log, admit }: Surroundings,
): Promise<HttpHandler> {
  const { signInWith } = await import('./sign-in.js');
  return signInWith({ settings, origins, isSecure: tls !== undefined, now: () => nodeClock.now(), log, admit });
}
