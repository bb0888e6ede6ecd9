import { supportedVersions } from '@ahpd/protocol';
import { clientsOf } from './compose/clients.js';
import { closeAll } from './compose/closing.js';
import { createFoundation } from './compose/foundation.js';
import type { HostOptions } from './compose/options.js';
import { createServer } from './compose/server.js';
import { createServices, type Services } from './compose/services.js';
import { settleAfterRestart } from './compose/settling.js';
import type { Incoming } from './ports/index.js';
import type { Server } from './server/server.js';

export type { HostOptions } from './compose/options.js';

/** A host that runs: transports hand it their connections. */
export interface Host {
  readonly protocolVersions: readonly string[];
  /** Takes over a connection that a listener has let in. */
  accept(incoming: Incoming): void;
  /** Takes sessions out of memory that nobody uses; it also happens by itself. */
  unloadIdle(): void;
  /** Ends turns and connections, stores what is left, and lets go of the agents. The store stays open. */
  close(): Promise<void>;
}

/** A host in this process: durable sessions of the given agents, for any number of clients. */
export function createHost(options: HostOptions): Host {
  const foundation = createFoundation(options);
  const clients = clientsOf(() => server);
  const services: Services = createServices(foundation, options, clients);
  const server: Server = createServer(foundation, services);
  settleAfterRestart(foundation, services, clients);
  return {
    protocolVersions: supportedVersions,
    accept: (incoming) => server.accept(incoming),
    unloadIdle: () => services.cold.sweep(),
    close: () => closeAll(foundation, services, server),
  };
}
