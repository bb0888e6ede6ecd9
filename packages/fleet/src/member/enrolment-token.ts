import { Buffer } from 'node:buffer';
import type { MemberCredential } from '../identity/members.js';
import type { Invitation } from '../registry/registry.js';

/** What a new machine needs in order to join: an invitation, and a credential with which the bus lets it ask. */
export interface EnrolmentToken extends Invitation {
  readonly credential: MemberCredential;
}

/** One word that can be pasted into a shell. */
export function writeEnrolmentToken({ id, secret, credential }: EnrolmentToken): string {
  const { token, seed, inboxPrefix } = credential;
  return Buffer.from(JSON.stringify([id, secret, token, seed, inboxPrefix])).toString('base64url');
}

/** Undefined for what is no such token. */
export function readEnrolmentToken(text: string): EnrolmentToken | undefined {
  try {
    const parts = JSON.parse(Buffer.from(text.trim(), 'base64url').toString()) as unknown;
    if (!Array.isArray(parts) || parts.length !== 5 || !parts.every((part) => typeof part === 'string'))
      return undefined;
    const [id, secret, token, seed, inboxPrefix] = parts as [string, string, string, string, string];
    return { id, secret, credential: { token, seed, inboxPrefix } };
  } catch {
    return undefined;
  }
}
