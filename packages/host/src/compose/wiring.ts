import { nameOf } from '../ports/people.js';
import type { Server } from '../server/server.js';
import { withStoredAttachments } from '../services/content/attachments.js';
import { inTime } from '../services/in-time.js';
import { signed } from '../services/people/signed.js';
import { consequencesOf, effectsOf } from './effects.js';
import type { Foundation } from './foundation.js';
import type { Services } from './services.js';

/** Connects the services to the door and to each other. No service does so itself, so all order is here and in effects.ts. */
export function connect({ context, authorize, door }: Foundation, services: Services, server: Server): void {
  const { agents, clock } = context;
  const { auth, root, contents, provisional, sessions, resources, watches, mcp, telemetryChannels } = services;
  const { customizations, changesets, operations, terminals, annotations, turns, automations } = services;

  door.connect({
    effects: effectsOf(services),
    consequences: consequencesOf(services),
    documents: {
      'root/configChanged': [(committed) => root.documentOf(committed)],
      'session/titleChanged': [(committed) => sessions.userTitles.documentOf(committed)],
      'chat/turnStarted': [
        (committed) => provisional.documentOf(committed),
        (committed) => turns.dueQueues.documentOf(committed),
      ],
      'chat/turnComplete': [(committed) => turns.dueQueues.documentOf(committed)],
      'chat/pendingMessageSet': [(committed) => turns.dueQueues.documentOf(committed)],
      'chat/truncated': [(committed) => turns.rewinds.documentOf(committed)],
    },
    authorize,
    missingTokens: (client, session) => auth.missingTokens(client, session),
    foldersProblem: (provider, folders) => sessions.foldersProblem(provider, folders),
    ...(automations && {
      automationProblem: (definition, runCount) => automations.problem(definition, runCount),
    }),
    prepare: (channel, sent, { credential, clientId }) => {
      turns.beforeAction(channel.uri);
      const action = withStoredAttachments(channel, sent, contents);
      const name = nameOf(credential);
      return name === undefined ? action : signed(channel, action, name, clientId);
    },
    isUnlisted: (session) => provisional.has(session),
    openMissing: (uri) => changesets?.open(uri),
    onUndone: (undone) => server.undone(undone),
    onUsed: [
      (uri) => telemetryChannels?.onUsed(uri),
      (uri) => watches.onUsed(uri),
      (uri) => mcp.onUsed(uri),
      (uri) => customizations?.onUsed(uri),
      (uri) => changesets?.onUsed(uri),
      (uri) => annotations.onUsed(uri),
    ],
    onUnused: [
      (uri) => telemetryChannels?.onUnused(uri),
      (uri) => watches.onUnused(uri),
      (uri) => customizations?.onUnused(uri),
      (uri) => changesets?.onUnused(uri),
      (uri) => operations?.board.onUnused(uri),
      (uri) => annotations.onUnused(uri),
    ],
  });

  sessions.connect({
    quiet: async (chats) => {
      const quiet = Promise.all([turns.quiet(chats), terminals?.quiet()]);
      return (await inTime(quiet, QUIET_MS, clock)) !== undefined;
    },
    onDisposing: (session) => {
      terminals?.sessionDisposing(session);
      changesets?.sessionDisposed(session);
    },
    onDisposed: (session) => {
      resources.sessionDisposed(session);
      mcp.release(session);
      customizations?.release(session);
      annotations.sessionDisposed(session);
    },
  });

  auth.addResources(() => mcp.protectedResources);
  mcp.tokens.onTokensChanged((resource) => mcp.tokensChanged(resource));
  agents.onInfoChanged(() => root.showAgents());
}

/** Milliseconds for agents and programs of an ended session to end: twice the time that a cancelled agent gets to stop. */
const QUIET_MS = 20_000;
