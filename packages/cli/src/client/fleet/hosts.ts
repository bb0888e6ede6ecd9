import type { Client, FleetHost } from '@moorage/client';
import { UsageError } from '../../usage-error.js';
import { CommandError } from '../errors.js';
import { plainLine } from '../output/plain.js';

export async function hostsOf(client: Pick<Client, 'request'>): Promise<readonly FleetHost[]> {
  return (await client.request('moorage/listHosts')).items;
}

/** A host of the fleet by its name, or by the start of its id. */
export function memberNamed(hosts: readonly FleetHost[], wanted: string): FleetHost {
  const members = hosts.filter(({ state }) => state !== 'revoked');
  const found = [
    members.filter(({ id }) => id === wanted),
    members.filter(({ name }) => name === wanted),
    members.filter(({ id }) => wanted !== '' && id.startsWith(wanted)),
  ].find((fitting) => fitting.length > 0);
  const [first, ...others] = found ?? [];
  if (!first)
    throw new CommandError(`there is no host "${plainLine(wanted)}" in the fleet\nList them with: moorage fleet ls`);
  if (others.length > 0) {
    const ids = [first, ...others].map(({ id }) => plainLine(id)).join(' or ');
    throw new UsageError(`several hosts are called "${plainLine(wanted)}": name it by its id, ${ids}`);
  }
  return first;
}
