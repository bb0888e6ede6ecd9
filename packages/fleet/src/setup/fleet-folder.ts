import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createFleetKeys, type FleetKeys, natsSettings } from '../identity/fleet-keys.js';

export interface FleetFolderOptions {
  /** Where the NATS server shall listen, such as `127.0.0.1:4222`. */
  readonly listen: string;
  /** Files of its certificate. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

const KEYS = 'keys.json';

/** Makes the folder of a new fleet: its secret keys, and a configuration with which a NATS server accepts its members. */
export async function createFleetFolder(folder: string, { listen, tls }: FleetFolderOptions): Promise<string> {
  const path = resolve(folder);
  if (existsSync(join(path, KEYS))) throw new Error(`${path} has the keys of a fleet already: they are kept`);
  const accounts = join(path, 'accounts');
  mkdirSync(accounts, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  const keys = createFleetKeys();
  const settings = [
    `listen: ${JSON.stringify(listen)}`,
    ...(tls
      ? [`tls: { cert_file: ${JSON.stringify(resolve(tls.cert))}, key_file: ${JSON.stringify(resolve(tls.key))} }`]
      : []),
    await natsSettings(keys, accounts),
  ];
  writeFileSync(join(path, 'nats.conf'), `${settings.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(join(path, KEYS), `${JSON.stringify(keys)}\n`, { mode: 0o600, flag: 'wx' });
  return path;
}

/** The keys that `createFleetFolder` wrote. */
export function readFleetKeys(folder: string): FleetKeys {
  const file = join(resolve(folder), KEYS);
  let keys: Partial<Record<keyof FleetKeys, unknown>>;
  try {
    keys = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} cannot be read: make a fleet with "moorage fleet init ${folder}"`, { cause });
  }
  const { operator, account, system } = keys;
  if (typeof operator !== 'string' || typeof account !== 'string' || typeof system !== 'string')
    throw new Error(`${file} does not hold the keys of a fleet`);
  return { operator, account, system };
}
