import type { Handler, Handlers } from '../core/handler.js';
import type { Pairing } from '../ports/pairing.js';

/** Whoever has the token may let another device have it. */
export function pairingCommands(pairing: Pairing) {
  const createPairingCode: Handler<'moorage/createPairingCode'> = () => {
    const { code, expiresAt, page } = pairing.create();
    return { code, expiresAt, ...(page !== undefined && { page }) };
  };
  return { 'moorage/createPairingCode': createPairingCode } satisfies Handlers;
}
