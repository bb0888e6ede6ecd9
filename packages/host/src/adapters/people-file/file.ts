import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { isObject, type URI } from '@moorage/protocol';
import { ROLES, type Role } from '../../ports/people.js';

/** A person, or a link to a session, as the file has them. Secrets are kept as SHA-256 digests, in hex. */
export interface KeptPerson {
  readonly name: string;
  readonly role: Role;
  readonly session?: URI;
  /** Milliseconds since the epoch, as all times here. */
  readonly expiresAt?: number;
  readonly addedAt: number;
  readonly tokens: readonly string[];
  /** Of somebody who signs in with a provider: who that is there, and what they signed in with here. */
  readonly account?: string;
  readonly signIns?: readonly SignInEntry[];
  /** Revoked: the provider may say what it likes. */
  readonly isBarred?: boolean;
  readonly invitation?: { readonly digest: string; readonly expiresAt: number };
}

interface SignInEntry {
  readonly digest: string;
  readonly expiresAt: number;
}

/** Nobody, if there is no file. Throws for a file that is not as this program writes it: to let somebody in by mistake is worse. */
export function readPeople(file: string): readonly KeptPerson[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const people = parsed(text);
  if (Array.isArray(people) && people.every(isPerson)) return people;
  throw new Error(`${file} is damaged: restore it from a backup, or remove it and invite everybody again`);
}

/** Readers and a crash see the old file or the new one. */
export function writePeople(file: string, people: readonly KeptPerson[]): void {
  const next = `${file}.next`;
  const descriptor = openSync(next, 'w', 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify({ people }, undefined, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, file);
}

function parsed(text: string): unknown {
  try {
    const content: unknown = JSON.parse(text);
    return isObject(content) ? content.people : undefined;
  } catch {
    return undefined;
  }
}

function isPerson(value: unknown): value is KeptPerson {
  if (!isObject(value)) return false;
  const { name, role, session, expiresAt, addedAt, tokens, invitation, account, signIns, isBarred } = value;
  return (
    typeof name === 'string' &&
    ROLES.some((known) => known === role) &&
    (session === undefined || typeof session === 'string') &&
    (expiresAt === undefined || typeof expiresAt === 'number') &&
    typeof addedAt === 'number' &&
    Array.isArray(tokens) &&
    tokens.every(isDigest) &&
    (invitation === undefined || isSignIn(invitation)) &&
    (account === undefined || typeof account === 'string') &&
    (signIns === undefined || (Array.isArray(signIns) && signIns.every(isSignIn))) &&
    (isBarred === undefined || typeof isBarred === 'boolean')
  );
}

function isSignIn(value: unknown): value is SignInEntry {
  return isObject(value) && isDigest(value.digest) && typeof value.expiresAt === 'number';
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
