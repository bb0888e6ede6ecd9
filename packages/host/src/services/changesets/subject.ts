import type { ChangesetSelector, URI } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { FileChange, StateId, Workspace } from '../../ports/workspace.js';

/** A changeset to work on, whether or not anybody watches it. */
export interface Subject {
  /** Its URI as this host writes it. */
  readonly uri: URI;
  readonly session: Channel<'session'>;
  readonly selector: ChangesetSelector;
  /** The session's folder: as a URI, and where it really is. */
  readonly folderUri: URI;
  readonly folder: string;
  readonly workspace: Workspace;
  changes(): Promise<readonly FileChange[]>;
  /** How the folder was after the turn that the changeset is about. */
  stateAfter(): StateId | undefined;
}
