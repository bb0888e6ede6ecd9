export { FileAudit, fileAudit } from './adapters/audit-file/index.js';
export { createMemoryBroker, type MemoryBroker } from './adapters/bus-memory/index.js';
export { nodeClock } from './adapters/clock-node/index.js';
export { memoryConversationIndex } from './adapters/conversation-index-memory/index.js';
export { sqliteConversationIndex } from './adapters/conversation-index-sqlite/index.js';
export { nodeFileLists } from './adapters/file-lists-node/index.js';
export { nodeFiles } from './adapters/files-node/index.js';
export { nodeFolders } from './adapters/folders-node/index.js';
export { httpHostTools } from './adapters/host-tools-http/index.js';
export { nodeIds } from './adapters/ids-node/index.js';
export { lockFolder } from './adapters/lock-sqlite/index.js';
export { sdkMcp } from './adapters/mcp-sdk/index.js';
export {
  httpWebhook,
  type WebhookFormat,
  type WebhookOptions,
  type WebPushOptions,
  webPush,
} from './adapters/notifications-http/index.js';
export { FilePeople, type FilePeopleOptions, filePeople } from './adapters/people-file/index.js';
export { nodePtys } from './adapters/pty-node/index.js';
export { type BubblewrapOptions, bubblewrap, isListedHost } from './adapters/sandbox-bubblewrap/index.js';
export { envelopesAfter } from './adapters/shared/envelopes-after.js';
export { type NodeShellsOptions, nodeShells } from './adapters/shell-node/index.js';
export { createMemoryDisk, createMemoryStore } from './adapters/store-memory/index.js';
export {
  checkSqliteStore,
  copySqliteStore,
  openDamagedStore,
  openSqliteStore,
  type SqliteStoreOptions,
} from './adapters/store-sqlite/index.js';
export { type OtelTelemetryOptions, otelTelemetry } from './adapters/telemetry-otel/index.js';
export {
  type BusListenerOptions,
  type BusTransportLimits,
  type DialledHost,
  type DialOptions,
  dialHost,
  type FleetUser,
  hostSubjects,
  listenBus,
  type OpenRequest,
  type ShareRequest,
  SUBJECT_WORD,
  WayLostError,
} from './adapters/transport-bus/index.js';
export { type StdioOptions, serveStdio } from './adapters/transport-stdio/index.js';
export { listenUnixSocket, type UnixListenerOptions } from './adapters/transport-unix/index.js';
export {
  type Credentials,
  createTokenCredentials,
  createWebSocketAcceptor,
  type HttpHandler,
  listenWebSocket,
  PairingCodes,
  type PairingCodesOptions,
  type WebSocketAcceptor,
  type WebSocketAcceptorOptions,
  type WebSocketListener,
  type WebSocketListenerOptions,
} from './adapters/transport-ws/index.js';
export { type NodeWatcherOptions, nodeWatcher } from './adapters/watcher-node/index.js';
export { gitWorktrees } from './adapters/worktrees-git/index.js';
export { type GitWorkspacesOptions, gitWorkspaces } from './compose/git-workspaces.js';
export type { BroughtChannel } from './core/channel.js';
export type { Handlers } from './core/handler.js';
export { storedState } from './core/stored-channel.js';
export { createHost, type Host, type HostOptions } from './host.js';
export { acceptAtKeptHost, type KeptHostOptions } from './kept-host.js';
export * from './ports/index.js';
export type { KeptRecords } from './services/changesets/kept-changes.js';
export type { CustomizationOptions } from './services/customizations/catalogues.js';
export type { HostToolOptions } from './services/host-tools/host-tool-service.js';
export type { McpServerDeclaration, McpTokens } from './services/mcp/declaration.js';
export { type Recovery, recoverStore } from './services/recovery/recover-store.js';
export { type AgentFolder, agentFiles } from './services/resources/agent-files.js';
export type { MovedFolder, MovedSession } from './services/sessions/moved-sessions.js';
export type { SessionTexts } from './services/sessions/session-page.js';
export { telemetryLog } from './services/telemetry/telemetry-log.js';
export {
  createSessionIndex,
  type IndexClient,
  type SessionIndex,
  type SessionIndexOptions,
} from './session-index.js';
export { openSharedClients, type SharedClients, type SharedClientsOptions, type SharedSeat } from './shared-clients.js';
