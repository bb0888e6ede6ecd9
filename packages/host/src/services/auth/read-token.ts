import { type AuthenticateParams, ExtensionMeta } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import { MAX_SHARED_SESSIONS, MAX_TOKEN_CHARS, MIN_TOKEN_CHARS } from './limits.js';
import type { Sharing } from './token-vault.js';

/** The characters of a bearer token (RFC 6750); others cannot go into an `Authorization` header. */
const BEARER = /^[A-Za-z0-9\-._~+/]+=*$/;

/** The token of a request. Throws if it is malformed, without repeating it in the error. */
export function readToken({ token }: AuthenticateParams): string {
  if (token.length < MIN_TOKEN_CHARS || token.length > MAX_TOKEN_CHARS) {
    throw invalidParams(`params/token: expected ${MIN_TOKEN_CHARS} to ${MAX_TOKEN_CHARS} characters`);
  }
  if (!BEARER.test(token)) {
    throw invalidParams('params/token: expected a bearer token: letters, digits and any of - . _ ~ + / =');
  }
  return token;
}

/** Whom the owner shares the token with: "all", or a list of sessions. */
export function readSharing(params: AuthenticateParams): Sharing {
  const { _meta } = params as { _meta?: Readonly<Record<string, unknown>> };
  const shareWith = _meta?.[ExtensionMeta.shareWith];
  if (shareWith === undefined) return { kind: 'own' };
  if (shareWith === 'all') return { kind: 'all' };
  if (!isTextList(shareWith) || shareWith.length > MAX_SHARED_SESSIONS) {
    const expected = `"all" or a list of up to ${MAX_SHARED_SESSIONS} sessions`;
    throw invalidParams(`params/_meta/${ExtensionMeta.shareWith}: expected ${expected}`);
  }
  return { kind: 'sessions', sessions: new Set(shareWith) };
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
