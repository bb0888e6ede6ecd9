import { encodeAccount, encodeOperator } from '@nats-io/jwt';
import { createAccount, createOperator, createUser, fromSeed, type KeyPair } from '@nats-io/nkeys';

/**
 * The secrets of a fleet, held by its gateways and nobody else. Whoever has them can let machines in; NATS itself knows
 * only the public halves.
 */
export interface FleetKeys {
  readonly operator: string;
  /** All members are users of this account. */
  readonly account: string;
  /** For telling the server whom the account has revoked. */
  readonly system: string;
}

export function createFleetKeys(): FleetKeys {
  return {
    operator: seedOf(createOperator()),
    account: seedOf(createAccount()),
    system: seedOf(createAccount()),
  };
}

/** A key of its own for each host; its seed never leaves that machine. */
export function createHostKey(): { readonly seed: string; readonly publicKey: string } {
  const key = createUser();
  return { seed: seedOf(key), publicKey: key.getPublicKey() };
}

/** The account as the server must know it, with those who may no longer connect: their public keys. */
export function accountToken(keys: FleetKeys, revoked: Readonly<Record<string, number>> = {}): Promise<string> {
  const options = { signer: keyOf(keys.operator) };
  return encodeAccount('fleet', keyOf(keys.account), { revocations: revoked, limits: NO_LIMITS }, options);
}

/** Lines for the configuration file of a NATS server, without its address. `folder` is where it keeps its accounts. */
export async function natsSettings(keys: FleetKeys, folder: string): Promise<string> {
  const [account, system] = [keyOf(keys.account), keyOf(keys.system)];
  const signer = { signer: keyOf(keys.operator) };
  const systemToken = await encodeAccount('system', system, { limits: NO_LIMITS }, signer);
  const operatorToken = await encodeOperator('fleet', keyOf(keys.operator), { system_account: system.getPublicKey() });
  return [
    `operator: ${operatorToken}`,
    `system_account: ${system.getPublicKey()}`,
    `resolver: { type: full, dir: ${JSON.stringify(folder)}, allow_delete: false, interval: "2m" }`,
    'resolver_preload: {',
    `  ${account.getPublicKey()}: ${await accountToken(keys)}`,
    `  ${system.getPublicKey()}: ${systemToken}`,
    '}',
  ].join('\n');
}

export function keyOf(seed: string): KeyPair {
  return fromSeed(new TextEncoder().encode(seed));
}

/** NATS takes what is not said for "none allowed". */
const NO_LIMITS = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };

function seedOf(key: { getSeed(): Uint8Array }): string {
  return new TextDecoder().decode(key.getSeed());
}
