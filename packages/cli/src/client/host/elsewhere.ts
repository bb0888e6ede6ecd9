import type { Client, FleetHost } from '@moorage/client';
import { ExtensionMeta, isObject, type SessionState, type SessionSummary } from '@moorage/protocol';
import { UsageError } from '../../usage-error.js';
import { CommandError } from '../errors.js';
import { hostsOf } from '../fleet/hosts.js';
import { placeOn } from '../fleet/placement.js';
import { plainLine } from '../output/plain.js';

/** What is wanted is at another address of the same gateway: `withHost` goes there, and does the work again. */
export class ServedElsewhere extends Error {
  override readonly name = 'ServedElsewhere';
  /** Such as `/hosts/ID/`. */
  readonly address: string;
  /** The name of the host there. */
  readonly machine: string;

  constructor(address: string, machine: string) {
    super(`this is served at ${address}`);
    this.address = address;
    this.machine = machine;
  }
}

/** The host that a gateway says a session is of; undefined in the list of a host itself. */
export function hostOfSession({ _meta }: Pick<SessionSummary, '_meta'>): HostOfSession | undefined {
  const host = _meta?.[ExtensionMeta.host];
  if (!isObject(host) || typeof host.name !== 'string' || typeof host.address !== 'string') return undefined;
  return { name: host.name, address: host.address, isAway: host.isAway === true };
}

interface HostOfSession {
  readonly name: string;
  readonly address: string;
  /** What the fleet has kept of it can be read. */
  readonly isAway: boolean;
}

/** A sentence for a session of a host that is away, of which a gateway shows what was kept. */
export function awayNote({ _meta }: Pick<SessionState, '_meta'>): string | undefined {
  const host = _meta?.[ExtensionMeta.away];
  if (!isObject(host) || typeof host.name !== 'string') return undefined;
  return `${plainLine(host.name)} is away: this is what the fleet has kept, and it can only be read`;
}

/** Throws `ServedElsewhere` for a session that a gateway lists. */
export function assertServedHere(session: SessionSummary): void {
  const host = hostOfSession(session);
  if (host) throw new ServedElsewhere(host.address, host.name);
}

export async function isGateway(client: Client): Promise<boolean> {
  return (await client.root()).confirmed._meta?.[ExtensionMeta.gateway] !== undefined;
}

/** For what is not about a session that exists: at a gateway throws `ServedElsewhere` for the only host that is there. */
export async function assertOneHost(client: Client, gateway: string): Promise<void> {
  if (!(await isGateway(client))) return;
  const hosts = (await hostsOf(client)).filter(({ state }) => state === 'here');
  const [first] = hosts;
  if (!first) throw new CommandError('no host of the fleet is there\nLook at: moorage fleet ls');
  if (hosts.length === 1) throw atMember(first);
  const names = hosts.map(({ name }) => `--host ${gateway}/${name}`);
  throw new CommandError(`say on which host of the fleet:\n  ${names.join('\n  ')}\nOr by a label: --on LABEL`);
}

/** At a gateway throws `ServedElsewhere` for the host that fits all words and has the fewest running sessions. */
export async function assertPlaced(client: Client, words: readonly string[]): Promise<never> {
  if (!(await isGateway(client)))
    throw new UsageError('--on chooses among the hosts of a fleet, and this is a single host: leave it out');
  throw atMember(placeOn(await hostsOf(client), words));
}

function atMember({ id, name }: FleetHost): ServedElsewhere {
  return new ServedElsewhere(`/hosts/${id}/`, name);
}
