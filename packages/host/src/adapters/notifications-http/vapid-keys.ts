import { readFileSync, writeFileSync } from 'node:fs';

export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The keys by which push services know this host, made when there are none yet. Only their owner may read the file. */
export function readOrMakeKeys(file: string, make: () => VapidKeys): VapidKeys {
  try {
    writeFileSync(file, `${JSON.stringify(make())}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return parsed(file, readFileSync(file, 'utf8'));
}

function parsed(file: string, text: string): VapidKeys {
  try {
    const { publicKey, privateKey } = JSON.parse(text) as Record<string, unknown>;
    if (isKey(publicKey, PUBLIC_BYTES) && isKey(privateKey, PRIVATE_BYTES)) return { publicKey, privateKey };
  } catch {
    // said below
  }
  throw new Error(`${file} holds no usable keys: remove it, and turn notifications on again in each browser`);
}

/** A point and a number of the curve P-256. */
export const PUBLIC_BYTES = 65;
const PRIVATE_BYTES = 32;

export function isKey(value: unknown, bytes: number): value is string {
  return typeof value === 'string' && /^[\w-]+={0,2}$/.test(value) && Buffer.from(value, 'base64url').length === bytes;
}
