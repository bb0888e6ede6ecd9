import type { Connection } from '../server/connection.js';
import type { Server } from '../server/server.js';
import type { ClientLink } from '../services/resources/client-resources.js';

/** Access to connected clients for services. Takes the server lazily, because services are made before it. */
export interface Clients extends ClientLink {
  find(clientId: string): Connection | undefined;
}

export function clientsOf(server: () => Server): Clients {
  const find = (clientId: string) => server().connections.of(clientId);
  return {
    find,
    isConnected: (clientId) => find(clientId) !== undefined,
    request: async (clientId, method, params, timeoutMs) =>
      server().connections.peerOf(clientId).request(method, params, { timeoutMs }),
    notify: (clientId, method, params) => find(clientId)?.peer.notify(method, params),
  };
}
