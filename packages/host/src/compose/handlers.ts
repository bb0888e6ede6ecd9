import { auditCommands } from '../services/audit/commands.js';
import { authCommands } from '../services/auth/commands.js';
import { automationCommands } from '../services/automations/commands.js';
import { changesetCommands } from '../services/changesets/commands.js';
import { FileVersions } from '../services/changesets/file-versions.js';
import { operationCommands } from '../services/changesets/operations/commands.js';
import { completionCommands } from '../services/completions/commands.js';
import { configCommands } from '../services/config/commands.js';
import { configurationCommands } from '../services/configuration-commands.js';
import { notificationCommands } from '../services/notifications/commands.js';
import { pairingCommands } from '../services/pairing-commands.js';
import { peopleCommands } from '../services/people/commands.js';
import { watcherCommands } from '../services/people/watcher-commands.js';
import { resourceCommands } from '../services/resources/commands.js';
import { searchCommands } from '../services/search/commands.js';
import { adoptCommands } from '../services/sessions/adopt-commands.js';
import { sessionCommands } from '../services/sessions/commands.js';
import { restoreCommands } from '../services/sessions/restore-commands.js';
import { terminalCommands } from '../services/terminals/commands.js';
import { watchCommands } from '../services/watches/commands.js';
import type { Foundation } from './foundation.js';
import type { HostOptions } from './options.js';
import type { Services } from './services.js';

/** The handlers of all requests that services answer. Methods of services that the host does without are left out. */
export function requestHandlers(
  { context }: Foundation,
  services: Services,
  { pairing, people, audit, configuration }: HostOptions,
  isHere: (name: string) => boolean,
) {
  const { auth, sessions, restored, adopted, config, contents, resources, customizations, watches } = services;
  const { workspaces, completions, terminals, operations, history, blames, reviewedLines, comparison } = services;
  const { notifications, search, automations } = services;
  const versions = workspaces ? [new FileVersions(workspaces)] : [];
  const resource = resourceCommands(resources, [contents, ...versions], context.clock);
  return {
    ...sessionCommands(context, sessions, auth),
    ...restoreCommands(restored),
    ...adoptCommands(adopted, auth),
    ...configCommands(config),
    ...authCommands(auth),
    ...resource,
    ...(customizations && { resourceWrite: customizations.saving(resource.resourceWrite) }),
    ...watchCommands(watches),
    ...completionCommands(completions),
    ...(notifications && notificationCommands(notifications)),
    ...(search && searchCommands(search)),
    ...(automations && automationCommands(automations)),
    ...(pairing && pairingCommands(pairing)),
    ...watcherCommands(context),
    ...(audit && auditCommands(audit)),
    ...(people && peopleCommands(context, { ...people, isHere })),
    ...(configuration && configurationCommands(configuration)),
    ...(terminals && terminalCommands(terminals)),
    ...(operations && history && operationCommands(operations, history)),
    ...(blames && reviewedLines && comparison && changesetCommands(blames, reviewedLines, comparison)),
  };
}
