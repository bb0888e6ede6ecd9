import type { Bus, Log } from '@moorage/host';
import type { FleetKeys } from '../identity/fleet-keys.js';
import { publishRevocations } from '../identity/revoke.js';
import type { RegisterCopy } from './register-copy.js';

/**
 * Keeps the NATS server informed of hosts that are revoked. Every gateway does so whenever it reads of a new one, with all of
 * them, so that no order of two revocations loses one; and again when the server was away, which may have forgotten them.
 */
export function followRevocations(register: RegisterCopy, system: Bus, keys: FleetKeys, log: Log): void {
  let published = '{}';
  let publishing = false;
  const publish = async () => {
    const revoked = revokedKeys(register);
    const wanted = JSON.stringify(revoked);
    if (wanted === published || publishing || !system.isUp) return;
    publishing = true;
    try {
      await publishRevocations(system, keys, revoked);
      published = wanted;
    } catch (error) {
      log.write('error', 'fleet.revocation-failed', 'the bus was not told of a revoked host; trying again', {
        error: String(error),
      });
    } finally {
      publishing = false;
    }
  };
  register.onRead(() => void publish());
  system.onState((isUp) => {
    if (isUp) published = '{}';
  });
}

/** Public keys, with when they stopped counting in epoch seconds: NATS compares that with when a token was made. */
function revokedKeys(register: RegisterCopy): Record<string, number> {
  const revoked = [...register.hosts.values()].flatMap(({ publicKey, revokedAt }) =>
    revokedAt === undefined ? [] : [[publicKey, Math.floor(revokedAt / 1_000) + 1] as const],
  );
  return Object.fromEntries(revoked);
}
