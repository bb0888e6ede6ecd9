import type { Bus } from '@moorage/host';
import { accountToken, type FleetKeys } from './fleet-keys.js';

/**
 * Tells the NATS server who may no longer connect, by public key and since when (epoch seconds); it cuts their connections
 * at once. `system` is connected with `systemCredential`.
 */
export async function publishRevocations(
  system: Bus,
  keys: FleetKeys,
  revoked: Readonly<Record<string, number>>,
): Promise<void> {
  const token = await accountToken(keys, revoked);
  const body = await system.request('$SYS.REQ.CLAIMS.UPDATE', new TextEncoder().encode(token), UPDATE_MS);
  const { error } = JSON.parse(new TextDecoder().decode(body)) as { error?: { description?: string } };
  if (error) throw new Error(`the bus did not take the revocation: ${error.description ?? 'no reason given'}`);
}

const UPDATE_MS = 5_000;
