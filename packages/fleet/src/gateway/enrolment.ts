import { Buffer } from 'node:buffer';
import type { Bus, BusSubscription } from '@moorage/host';
import { fromPublic } from '@nats-io/jwt';
import type { FleetKeys } from '../identity/fleet-keys.js';
import { ENROL_SUBJECT, hostToken } from '../identity/members.js';
import type { EnrolRequest, Registry } from '../registry/registry.js';

/** What a gateway answers to a machine that asks for membership. */
export type EnrolAnswer = { readonly host: string; readonly token: string } | { readonly refusal: string };

/** Lets machines in that show an invitation. Of all gateways, one answers. */
export function serveEnrolment(bus: Bus, registry: Registry, keys: FleetKeys): BusSubscription {
  const answer = async (body: Uint8Array): Promise<EnrolAnswer> => {
    const request = readRequest(body);
    if (!request) return { refusal: 'the request is not understood: use a version of moorage as new as the gateway' };
    const enrolled = await registry.enrol(request);
    if (!enrolled) return { refusal: 'the enrolment token was used already, has expired or is of another fleet' };
    return { host: enrolled.host, token: await hostToken(keys, enrolled.host, request.publicKey) };
  };
  return bus.serve(ENROL_SUBJECT, async ({ body }) => Buffer.from(JSON.stringify(await answer(body))), 'gateways');
}

/** A name is shown to people, in a column. */
const MAX_NAME_CHARS = 64;

function readRequest(body: Uint8Array): EnrolRequest | undefined {
  try {
    const { id, secret, name, publicKey } = JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>;
    if (typeof id !== 'string' || typeof secret !== 'string' || typeof publicKey !== 'string') return undefined;
    if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_CHARS) return undefined;
    if (!publicKey.startsWith('U')) return undefined;
    fromPublic(publicKey); // throws for what is no key
    return { id, secret, name, publicKey };
  } catch {
    return undefined;
  }
}
