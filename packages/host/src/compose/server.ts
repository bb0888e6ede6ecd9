import { CloseCodes, chatUri, type URI } from '@moorage/protocol';
import { personCredential } from '../ports/people.js';
import { Server } from '../server/server.js';
import { TRIGGERS } from '../services/completions/completion-service.js';
import { releaseActiveClient } from '../services/sessions/active-clients.js';
import type { Foundation } from './foundation.js';
import { requestHandlers } from './handlers.js';
import type { HostOptions } from './options.js';
import type { Services } from './services.js';

/** Creates the server and connects the services to the events of its connections. */
export function createServer(foundation: Foundation, services: Services, options: HostOptions): Server {
  const { context, telemetry, authorize, door } = foundation;
  const { store, clock, ids, log, folders } = context;
  const { auth, telemetryChannels, sessions, mcp, annotations, watches, clientTools, resources } = services;
  const { people } = options.people ?? {};
  const pause = () => new Promise<void>((resolve) => clock.defer(resolve));
  const load = (uri: URI) => door.channels.loadInSlices(uri, pause);
  const server = new Server({
    door,
    store,
    clock,
    log,
    telemetry,
    authorize,
    people,
    defaultDirectory: folders.defaultDirectory,
    telemetryChannels: telemetryChannels?.capabilities,
    completionTriggerCharacters: TRIGGERS,
    serverInfo: options.info,
    handlers: requestHandlers(foundation, services, options, (name) => server.connections.has(personCredential(name))),
    prepare: (uri) => annotations.beforeSnapshot(uri) ?? load(uri),
    load,
    sideChannels: mcp.sideChannels,
    assertTelemetry: telemetryChannels && ((uri) => telemetryChannels.assertOffered(uri)),
    onReconnected: (connection) => auth.remind(connection),
    addChat: (session) =>
      sessions.createChat({ channel: session, chat: chatUri.format(ids.next()) }, { isVscode: false }),
    onClientAction: ({ clientId }, params) => watches.remoteChanged(clientId, params),
    audit: services.audit,
    onTokensMissing: (connection, channel, missing) => auth.ask(connection, channel, missing),
  });
  people?.onEnded((credential) => {
    server.connections.closeOf(credential, CloseCodes.PolicyViolation, 'your access has ended');
    services.notifications?.ended(credential);
  });
  server.connections.onEnded((connection) => auth.clientGone(connection));
  server.connections.onClientGone(({ clientId }) => {
    releaseActiveClient(door, clientId, (other) => server.connections.of(other) !== undefined);
    clientTools.clientGone(clientId);
    resources.clientGone(clientId);
    watches.clientGone(clientId);
  });
  telemetry.observe('ahp.connections', () => server.connections.load.connections);
  telemetry.observe('ahp.outbox.queued_chars', () => server.connections.load.queuedChars);
  telemetry.observe('ahp.sessions', () => store.sessions.count());
  return server;
}
