import type { ChangesetSelector, URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { FileChange, StateId, Workspace } from '../../ports/workspace.js';
import type { History } from './authorship/history.js';

/** What a changeset is about, whether or not it has subscribers. */
export interface Subject {
  /** The URI of the changeset in the form that this host writes. */
  readonly uri: URI;
  readonly session: Channel<'session'>;
  readonly selector: ChangesetSelector;
  /** The session's folder as a URI; `folder` is its real path. */
  readonly folderUri: URI;
  readonly folder: string;
  readonly workspace: Workspace;
  changes(): Promise<readonly FileChange[]>;
  /** Everything that the turns of the session did. */
  history(): Promise<History>;
  /** The state of the folder after the turn, if the changeset is about a turn and the state is known. */
  stateAfter(): StateId | undefined;
}
