import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What makes a host a member of its fleet. The seed never leaves the machine. */
export interface Membership {
  readonly host: string;
  readonly seed: string;
  /** Says what the host may do on the bus. */
  readonly token: string;
  /** Of the invitation by which it joined. */
  readonly invitation: string;
}

const NAME = 'fleet.json';

export function membershipFile(dataDir: string): string {
  return join(dataDir, NAME);
}

/** Undefined when the host has never joined a fleet. */
export function readMembership(dataDir: string): Membership | undefined {
  const file = membershipFile(dataDir);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const broken = new Error(`${file} is damaged: remove it, and join the fleet again with --enrol`);
  let value: Partial<Record<keyof Membership, unknown>>;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken;
  }
  const { host, seed, token, invitation } = value;
  const isWhole = [host, seed, token, invitation].every((member) => typeof member === 'string');
  if (!isWhole) throw broken;
  return value as Membership;
}

export function writeMembership(dataDir: string, membership: Membership): void {
  const file = membershipFile(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(membership)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
