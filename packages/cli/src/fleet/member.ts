import { hostname } from 'node:os';
import { joinFleet } from '@moorage/fleet';
import { type Incoming, type Listener, type Log, listenBus, nodeClock } from '@moorage/host';
import { UsageError } from '../usage-error.js';
import { VERSION } from '../version.js';
import { assertBusUrl } from './bus-url.js';

export interface MemberOptions {
  readonly fleet: readonly string[];
  readonly enrol?: string;
  readonly name?: string;
  readonly dataDir: string;
  readonly log: Log;
}

/** A host that is a member of a fleet. */
export interface Member {
  readonly id: string;
  /** Accepts clients that gateways pass on. */
  listen(onClient: (incoming: Incoming) => void): Listener;
  /** Resolves if the fleet ends the membership. */
  readonly revoked: Promise<void>;
}

export async function joinAsMember({ fleet, enrol, name = hostname(), dataDir, log }: MemberOptions): Promise<Member> {
  for (const url of fleet) assertBusUrl(url);
  if (!/^[^\p{C}]{1,64}$/u.test(name)) throw new UsageError('--name: expected 1 to 64 characters');
  let onRevoked = () => {};
  const revoked = new Promise<void>((resolve) => {
    onRevoked = resolve;
  });
  const joined = await joinFleet({ servers: fleet, dataDir, enrol, name, clock: nodeClock, log, onRevoked });
  return {
    id: joined.host,
    revoked,
    listen: (onClient) => {
      const listener = listenBus({ bus: joined.bus, host: joined.host, onClient, clock: nodeClock, log });
      joined.announce(VERSION);
      const close = async () => {
        await listener.close();
        await joined.leave();
      };
      return { address: listener.address, close };
    },
  };
}
