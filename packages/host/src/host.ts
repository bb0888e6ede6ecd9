import { supportedVersions } from '@moorage/protocol/versions';
import { clientsOf } from './compose/clients.js';
import { closeAll } from './compose/closing.js';
import { createFoundation } from './compose/foundation.js';
import type { HostOptions } from './compose/options.js';
import { createServer } from './compose/server.js';
import { createServices, type Services } from './compose/services.js';
import { settleAfterRestart } from './compose/settling.js';
import { connect } from './compose/wiring.js';
import type { Incoming } from './ports/index.js';
import type { Server } from './server/server.js';
import type { MovedSessions } from './services/sessions/moved-sessions.js';

export type { HostOptions } from './compose/options.js';

/** A running host. */
export interface Host {
  /** The versions of the protocol that it speaks, newest first. */
  readonly protocolVersions: readonly string[];
  /** Takes over a connection whose credential a listener has checked; closes it if the host is closing. */
  accept(incoming: Incoming): void;
  /** Sessions that come from another host of a fleet, or have gone to one. */
  readonly moved: Pick<MovedSessions, 'bring' | 'giveUp' | 'has'>;
  /**
   * Lets no agent act until it is called again without a reason: programs of agents are stopped, nothing that an agent wants
   * to do begins, and sessions with a turn show the reason. A call that has begun in a terminal goes on.
   */
  pause(reason: string | undefined): void;
  /** Takes idle sessions out of memory now; the host also does so by itself. */
  unloadIdle(): void;
  /**
   * Stops turns, closes all connections, stores what is pending, and disposes of the agents. The store and the
   * listeners belong to the caller and stay open.
   */
  close(): Promise<void>;
}

/** Creates a host in this process: durable sessions of the given agents, shared by any number of clients. */
export function createHost(options: HostOptions): Host {
  const foundation = createFoundation(options);
  const clients = clientsOf(() => server);
  const services: Services = createServices(foundation, options, clients);
  const server: Server = createServer(foundation, services, options);
  connect(foundation, services, server);
  settleAfterRestart(foundation, services, clients);
  return {
    protocolVersions: supportedVersions,
    accept: (incoming) => server.accept(incoming),
    moved: services.moved,
    pause: (reason) => services.turns.pause(reason),
    unloadIdle: () => services.cold.sweep(),
    close: () => closeAll(foundation, services, server),
  };
}
