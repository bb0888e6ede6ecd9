import type { Connection } from '../server/connection.js';
import type { DispatchMemory } from '../server/dispatch-memory.js';
import { handshakeHandlers } from '../server/handshake.js';
import type { Server } from '../server/server.js';
import { statelessChannels } from '../server/stateless-channels.js';
import { subscribeHandler } from '../server/subscribe.js';
import { authCommands } from '../services/auth/commands.js';
import { FileVersions } from '../services/changesets/file-versions.js';
import { operationCommands } from '../services/changesets/operations/commands.js';
import { completionCommands } from '../services/completions/commands.js';
import { TRIGGERS } from '../services/completions/completion-service.js';
import { configCommands } from '../services/config/commands.js';
import { resourceCommands } from '../services/resources/commands.js';
import { sessionCommands } from '../services/sessions/commands.js';
import { terminalCommands } from '../services/terminals/commands.js';
import { watchCommands } from '../services/watches/commands.js';
import type { Foundation } from './foundation.js';
import type { Services } from './services.js';

/** Who answers which request. */
export function requestHandlers(
  { context: { door, store, clock, folders } }: Foundation,
  services: Services,
  dispatches: DispatchMemory,
  server: () => Server,
) {
  const { auth, telemetryChannels, sessions, config, contents, resources, customizations, watches } = services;
  const { annotations, workspaces, completions, terminals, operations, mcp } = services;
  const stateless = statelessChannels({
    subscriptions: door.subscriptions,
    sideChannels: mcp.sideChannels,
    assertTelemetry: telemetryChannels && ((uri) => telemetryChannels.assertOffered(uri)),
  });
  const handshake = {
    door,
    store,
    clock,
    server,
    dispatches,
    stateless,
    defaultDirectory: folders.defaultDirectory,
    telemetry: telemetryChannels?.capabilities,
    onBack: (connection: Connection) => auth.remind(connection),
    completionTriggerCharacters: TRIGGERS,
  };
  const versions = workspaces ? [new FileVersions(workspaces)] : [];
  const resource = resourceCommands(resources, [contents, ...versions]);
  return {
    ...handshakeHandlers(handshake),
    ...subscribeHandler({ stateless, prepare: (uri) => annotations.beforeShown(uri) }),
    ...sessionCommands(store, sessions, auth),
    ...configCommands(config),
    ...authCommands(auth),
    ...resource,
    ...(customizations && { resourceWrite: customizations.saving(resource.resourceWrite) }),
    ...watchCommands(watches),
    ...completionCommands(completions),
    ...(terminals && terminalCommands(terminals)),
    ...(operations && operationCommands(operations)),
  };
}
