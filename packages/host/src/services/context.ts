import type { CommittingDoor } from '../core/door-parts.js';
import type { Clock, Files, Folders, Ids, Log, Store } from '../ports/index.js';
import type { AgentRegistry } from './agents.js';

/** The ports and core objects that services share. */
export interface HostContext {
  readonly door: CommittingDoor;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly folders: Folders;
  readonly files: Files;
  readonly agents: AgentRegistry;
}
