import type { RootState } from '@ahpd/protocol';
import type {
  AgentProvider,
  Clock,
  FileLists,
  Files,
  Folders,
  Ids,
  Log,
  Store,
  Telemetry,
  TelemetrySource,
  Watcher,
  Workspaces,
  Worktrees,
} from '../ports/index.js';
import type { CustomizationOptions } from '../services/customizations/catalogues.js';
import type { McpServiceOptions } from '../services/mcp/mcp-service.js';
import type { TerminalPorts } from '../services/terminals/terminal-service.js';

/** What a host is made of. All but the store, the agents and the folders has a default, or is a part that it can do without. */
export interface HostOptions {
  readonly store: Store;
  readonly agents: readonly AgentProvider[];
  readonly folders: Folders;
  /** What remembers the files of sessions; without it there are no changesets. */
  readonly workspaces?: Workspaces;
  /** What makes git work trees for sessions that ask for one. Its folder must be one of the folders. */
  readonly worktrees?: Worktrees;
  /** The files that clients and agents ask for; default: this machine's. */
  readonly files?: Files;
  /** The names of files that are offered while somebody writes; default: this machine's. */
  readonly fileLists?: FileLists;
  /** What tells of changes on disk; default: this machine's. */
  readonly watcher?: Watcher;
  /** Where customizations are looked for besides the workspace; without it sessions have none. */
  readonly customizations?: CustomizationOptions;
  /** What runs programs for clients and agents; without it there are no terminals. */
  readonly terminals?: TerminalPorts;
  /** The MCP servers that every session has; what runs them is the official SDK unless said otherwise. */
  readonly mcp?: Partial<McpServiceOptions>;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** What the host tells of its work, to clients that subscribe to it; without it nothing. */
  readonly telemetry?: (Telemetry & TelemetrySource) | undefined;
  /** Shown in root state; `hostBuild` is a key that clients know. */
  readonly meta?: RootState['_meta'];
}
