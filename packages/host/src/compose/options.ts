import type { Implementation, RootState } from '@moorage/protocol';
import type {
  AgentProvider,
  Audit,
  Authorize,
  Clock,
  Configuration,
  ConversationIndex,
  FileLists,
  Files,
  Folders,
  Ids,
  Log,
  Pairing,
  People,
  Sandbox,
  Store,
  Telemetry,
  TelemetrySource,
  Watcher,
  Workspaces,
  Worktrees,
} from '../ports/index.js';
import type { CustomizationOptions } from '../services/customizations/catalogues.js';
import type { HostToolOptions } from '../services/host-tools/host-tool-service.js';
import type { McpServiceOptions } from '../services/mcp/mcp-service.js';
import type { NotificationOptions } from '../services/notifications/notification-service.js';
import type { TerminalPorts } from '../services/terminals/terminal-service.js';

/** Who may use the host besides its owner. */
interface PeopleOptions {
  readonly people: People;
  /** Where they find the host's page; undefined while they cannot. */
  readonly page: () => string | undefined;
}

/** What a host is made of. Only the store, the agents and the folders are required. The caller keeps ownership of the store. */
export interface HostOptions {
  /** Where sessions are kept. The host does not close it. */
  readonly store: Store;
  /** The agents that sessions can have. */
  readonly agents: readonly AgentProvider[];
  /** What sessions and clients may touch. */
  readonly folders: Folders;
  /** Remembers states of sessions' folders; without it there are no changesets. The host closes it. */
  readonly workspaces?: Workspaces;
  /** Makes git work trees for sessions; without it sessions work in their folder itself. `folders` must allow its directory. */
  readonly worktrees?: Worktrees;
  /** Accesses files for clients and agents; default: this machine's. */
  readonly files?: Files;
  /** Lists file names for completions; default: this machine's. */
  readonly fileLists?: FileLists;
  /** Reports changes on disk; default: this machine's. */
  readonly watcher?: Watcher;
  /** Where to look for customizations besides the workspace; without it sessions have none. */
  readonly customizations?: CustomizationOptions;
  /** Runs programs for clients and agents; without it there are no terminals. */
  readonly terminals?: TerminalPorts;
  /** Confines the programs of sessions that want it; without it, none can. The host closes it. */
  readonly sandbox?: Sandbox;
  /** The MCP servers that every session has, and the client that runs them; default: none, and the official SDK. */
  readonly mcp?: Partial<McpServiceOptions>;
  /** How users are notified who are not looking; without it they are not. */
  readonly notifications?: NotificationOptions;
  /** Lets agents work with other sessions of their user; without it they cannot. The host closes its endpoint. */
  readonly hostTools?: HostToolOptions;
  /** Begins sessions by schedule and when something happens; without it there are no automations. */
  readonly automations?: boolean;
  /** Finds what was said; without it clients cannot search. The host closes it. */
  readonly conversationIndex?: ConversationIndex;
  /** Lets clients make codes for other devices; without it they cannot. */
  readonly pairing?: Pairing;
  /** Who may use the host besides its owner; without it, whoever a listener lets in may do everything. */
  readonly people?: PeopleOptions;
  /** Keeps who did what; without it nothing is kept besides the sessions themselves. */
  readonly audit?: Audit;
  /** Lets clients add agents and MCP servers to the configuration; without it they cannot. */
  readonly configuration?: Configuration;
  /** Decides what each client may do; default: everything that the rules allow. */
  readonly authorize?: Authorize;
  /** Where the host writes what happens; default: nowhere. */
  readonly log?: Log;
  /** The time; default: the system's. */
  readonly clock?: Clock;
  /** Makes unique ids; default: random ones. */
  readonly ids?: Ids;
  /** Records what the host does and offers it to clients; without it nothing is recorded. */
  readonly telemetry?: (Telemetry & TelemetrySource) | undefined;
  /** What the host says it is in the handshake, such as `{ name: 'mine', version: '1.2.3' }`. */
  readonly info?: Implementation | undefined;
  /** Put into root state as `_meta`. */
  readonly meta?: RootState['_meta'];
}
