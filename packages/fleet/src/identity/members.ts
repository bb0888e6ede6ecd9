import { hostSubjects } from '@moorage/host';
import { encodeUser, fromPublic } from '@nats-io/jwt';
import { type Authenticator, jwtAuthenticator } from '@nats-io/transport-node';
import { createHostKey, type FleetKeys, keyOf } from './fleet-keys.js';

/** What a member shows to the server: a token that says what it may do, and the key that the token names. */
export interface MemberCredential {
  readonly token: string;
  readonly seed: string;
  /** Where answers to this member come to; nobody else may listen there. */
  readonly inboxPrefix: string;
}

/** Subjects that only gateways serve. */
export const ENROL_SUBJECT = 'ahp.enrol';

/** A gateway speaks for everybody: it has checked who its clients are. */
export async function gatewayCredential(keys: FleetKeys): Promise<MemberCredential> {
  return member(keys, 'gateway', '_INBOX_gateway', { pub: { allow: ['ahp.>'] }, sub: { allow: ['ahp.>'] } });
}

/** May use the system's subjects, to tell the server about revocations. */
export async function systemCredential(keys: FleetKeys): Promise<MemberCredential> {
  const { seed, publicKey } = createHostKey();
  const token = await encodeUser('system', fromPublic(publicKey), keyOf(keys.system));
  return { token, seed, inboxPrefix: '_INBOX_system' };
}

/**
 * The token of a host. It may speak, and listen, under its own name only: the server enforces that. The host has made the
 * key; only its public half is known here.
 */
export function hostToken(keys: FleetKeys, host: string, publicKey: string): Promise<string> {
  const { all, open, enter, share, toHost } = hostSubjects(host);
  return encodeUser(host, fromPublic(publicKey), keyOf(keys.account), {
    // What a host hears there, it takes for the word of a gateway, so not even its own credential may speak there.
    pub: { allow: [all], deny: [open, enter, share, toHost('*')] },
    sub: { allow: [all, `${hostInbox(host)}.>`] },
    resp: { max: 1, ttl: ANSWER_NANOSECONDS },
  });
}

export function hostInbox(host: string): string {
  return `_INBOX_h_${host}`;
}

/** What a machine that is not a member yet needs in order to ask for membership, until a time (epoch milliseconds). */
export async function enrolmentCredential(keys: FleetKeys, id: string, until: number): Promise<MemberCredential> {
  const permissions = { pub: { allow: [ENROL_SUBJECT] } };
  return member(keys, `enrol-${id}`, `_INBOX_e_${id}`, permissions, Math.ceil(until / 1_000));
}

export function authenticatorOf({ token, seed }: Pick<MemberCredential, 'token' | 'seed'>): Authenticator {
  return jwtAuthenticator(token, new TextEncoder().encode(seed));
}

interface Permissions {
  readonly pub: { allow: string[] };
  readonly sub?: { allow: string[] };
}

async function member(
  keys: FleetKeys,
  name: string,
  inboxPrefix: string,
  { pub, sub }: Permissions,
  expires?: number,
): Promise<MemberCredential> {
  const { seed, publicKey } = createHostKey();
  const permissions = {
    pub,
    sub: { allow: [...(sub?.allow ?? []), `${inboxPrefix}.>`] },
    resp: { max: 1, ttl: ANSWER_NANOSECONDS },
  };
  const options = expires === undefined ? {} : { exp: expires };
  const token = await encodeUser(name, fromPublic(publicKey), keyOf(keys.account), permissions, options);
  return { token, seed, inboxPrefix };
}

/** For this long whoever was asked may answer to where the question came from. */
const ANSWER_NANOSECONDS = 60_000_000_000;
