import { nodeFileLists } from '../adapters/file-lists-node/index.js';
import { sdkMcp } from '../adapters/mcp-sdk/index.js';
import { nodeWatcher } from '../adapters/watcher-node/index.js';
import type { Channel } from '../core/channel.js';
import { isUnderWay } from '../core/keeping.js';
import { AnnotationService } from '../services/annotations/annotation-service.js';
import { AuditService } from '../services/audit/audit-service.js';
import { AuthService } from '../services/auth/auth-service.js';
import { AutomationService } from '../services/automations/automation-service.js';
import { BlameService } from '../services/changesets/blame-service.js';
import { ChangesetService } from '../services/changesets/changeset-service.js';
import { HistoryService } from '../services/changesets/operations/history-service.js';
import { OperationService } from '../services/changesets/operations/operation-service.js';
import { ReviewedLines } from '../services/changesets/reviewed-lines.js';
import { SessionComparison } from '../services/changesets/session-comparison.js';
import { CompletionService } from '../services/completions/completion-service.js';
import { FileIndexes } from '../services/completions/file-indexes.js';
import { commandSource } from '../services/completions/sources/commands.js';
import { commentSource } from '../services/completions/sources/comments.js';
import { customizationSource } from '../services/completions/sources/customizations.js';
import { fileSource } from '../services/completions/sources/files.js';
import { symbolSource } from '../services/completions/sources/symbols.js';
import { ConfigService } from '../services/config/config-service.js';
import { ContentService } from '../services/content/content-service.js';
import { CustomizationService } from '../services/customizations/customization-service.js';
import { FolderChanges } from '../services/folder-changes.js';
import { HostToolService } from '../services/host-tools/host-tool-service.js';
import type { DeclareMcpServers } from '../services/mcp/declaration.js';
import { McpService } from '../services/mcp/mcp-service.js';
import { NotificationService } from '../services/notifications/notification-service.js';
import { ResourceService } from '../services/resources/resource-service.js';
import { RetentionService } from '../services/retention/retention-service.js';
import { RootService } from '../services/root/root-service.js';
import { SearchService } from '../services/search/search-service.js';
import { AdoptedSessions } from '../services/sessions/adopted-sessions.js';
import { ColdSessions } from '../services/sessions/cold-sessions.js';
import { MovedSessions } from '../services/sessions/moved-sessions.js';
import { ProvisionalSessions } from '../services/sessions/provisional-sessions.js';
import { RestoredSessions } from '../services/sessions/restored-sessions.js';
import { SessionService } from '../services/sessions/session-service.js';
import { TelemetryChannels } from '../services/telemetry/channels.js';
import { TurnTelemetry } from '../services/telemetry/turn-telemetry.js';
import { TerminalService } from '../services/terminals/terminal-service.js';
import { AgentCommands } from '../services/turns/agent-commands.js';
import { Budgets } from '../services/turns/budgets.js';
import { ClientTools } from '../services/turns/client-tools.js';
import { TurnService } from '../services/turns/turn-service.js';
import { WatchService } from '../services/watches/watch-service.js';
import { WorktreeService } from '../services/worktrees/worktree-service.js';
import type { Clients } from './clients.js';
import type { Foundation } from './foundation.js';
import type { HostOptions } from './options.js';

export type Services = ReturnType<typeof createServices>;

/** Creates every service after those that it depends on. What connects them is in wiring.ts. */
export function createServices(
  { context, telemetry, vault, journal, authorize }: Foundation,
  options: HostOptions,
  clients: Clients,
) {
  const { door, clock, log, folders, agents } = context;
  const { workspaces, watcher = nodeWatcher() } = options;
  const isConnected = (clientId: string) => clients.isConnected(clientId);

  const auth = new AuthService(context, vault, (clientId) => clients.find(clientId));
  const turnTelemetry = new TurnTelemetry(context, telemetry);
  const telemetryChannels = options.telemetry && new TelemetryChannels(options.telemetry, door.subscriptions);

  const root = new RootService(context, options.meta, options.terminals !== undefined);
  const worktrees = options.worktrees && new WorktreeService(context, options.worktrees);
  const config = new ConfigService(context, root.settings, options.worktrees, options.sandbox);
  const contents = new ContentService(context);
  const provisional = new ProvisionalSessions(context, root);
  const sessions = new SessionService(context, { root, config, contents, provisional, worktrees });
  const adopted = new AdoptedSessions(context, sessions);
  const restored = new RestoredSessions(context, root, worktrees);
  const moved = new MovedSessions(context, root, sessions);

  const resources = new ResourceService(context, clients);
  const watches = new WatchService(context, resources, watcher);
  const ofSession = (session: Channel<'session'>) => hostTools?.declarationsFor(session) ?? [];
  const mcp = new McpService(context, { client: sdkMcp(), servers: [], tokens: auth, ofSession, ...options.mcp });
  const declare: DeclareMcpServers = (...declared) => mcp.declare(...declared);
  const customizations =
    options.customizations && new CustomizationService(context, resources, watcher, options.customizations, declare);

  const changesets =
    workspaces &&
    new ChangesetService(context, {
      workspaces,
      journal,
      contentAt: (uri) => contents.bytes(uri),
      store: (session, content) => contents.storeHere(session, content),
    });
  const operations = workspaces && changesets && new OperationService(context, changesets, workspaces);
  const history = operations && new HistoryService(context, changesets, workspaces, operations);
  const reviewedLines = workspaces && changesets && new ReviewedLines(changesets, workspaces);
  const blames = workspaces && changesets && new BlameService(context, changesets, workspaces);
  const comparison = workspaces && changesets && new SessionComparison(changesets, workspaces);
  const terminals = options.terminals && new TerminalService(context, options.terminals, root, isConnected);
  const folderChanges = new FolderChanges({ workspaces, watcher, folders, clock, log });
  const annotations = new AnnotationService(context, changesets, folderChanges);

  const clientTools = new ClientTools(clock, isConnected);
  const commands = new AgentCommands(context);
  const budgets = new Budgets(context, sessions);
  const turns = new TurnService(context, {
    sandbox: options.sandbox,
    sessions,
    auth,
    contents,
    clientTools,
    budgets,
    annotations,
    commands,
    mcp,
    changesets,
    terminals,
    customizations,
  });
  const indexes = new FileIndexes(
    context,
    options.fileLists ?? nodeFileLists({ telemetry, repositories: { mayUse: (path) => folders.contains(path) } }),
    folderChanges,
  );
  const completions = new CompletionService(context, sessions, [
    commandSource(commands),
    ...(customizations ? [customizationSource(customizations, agents, commands)] : []),
    fileSource(context, indexes),
    ...(changesets ? [symbolSource(context, changesets)] : []),
    commentSource(annotations),
  ]);

  const automations =
    options.automations === true ? new AutomationService(context, { sessions, auth, contents }, authorize) : undefined;
  const audit = options.audit && new AuditService(context, options.audit);
  const hostTools =
    options.hostTools &&
    new HostToolService(context, options.hostTools, { sessions, auth, changesets, audit }, authorize);
  const notifications =
    options.notifications && new NotificationService(context, sessions, options.notifications, options.people?.people);
  const search = options.conversationIndex && new SearchService(context, options.conversationIndex);
  const retention = new RetentionService(
    context,
    root.settings,
    workspaces,
    journal,
    (workspace) => changesets?.isInUse(workspace) ?? false,
    options.worktrees?.directory,
  );
  const cold = new ColdSessions(
    context,
    ({ uri, kind, state }) =>
      turns.isBusy(uri) || changesets?.isBusyFor(uri) || isUnderWay(kind, state) || kind === 'automation',
    (chat) => turns.release(chat),
    (session) => mcp.release(session),
  );
  return {
    auth,
    turnTelemetry,
    telemetryChannels,
    root,
    worktrees,
    sandbox: options.sandbox,
    config,
    sessions,
    provisional,
    restored,
    moved,
    adopted,
    contents,
    resources,
    watches,
    mcp,
    customizations,
    changesets,
    operations,
    history,
    blames,
    comparison,
    reviewedLines,
    terminals,
    annotations,
    automations,
    clientTools,
    notifications,
    search,
    budgets,
    turns,
    indexes,
    completions,
    workspaces,
    agents,
    retention,
    cold,
    audit,
    hostTools: options.hostTools?.endpoint,
  };
}
