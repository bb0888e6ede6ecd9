import { notAllowed } from '../core/errors.js';
import type { Handler, Handlers } from '../core/handler.js';
import type { Pairing } from '../ports/pairing.js';
import { userOf } from '../ports/people.js';

/** Whoever is in may let another device of their own in. */
export function pairingCommands(pairing: Pairing) {
  const createPairingCode: Handler<'moorage/createPairingCode'> = (_params, { credential }) => {
    if (userOf(credential) !== undefined)
      throw notAllowed('the fleet lets you in, not this host: ask there for access');
    const { code, expiresAt, page } = pairing.create(credential);
    return { code, expiresAt, ...(page !== undefined && { page }) };
  };
  return { 'moorage/createPairingCode': createPairingCode } satisfies Handlers;
}
