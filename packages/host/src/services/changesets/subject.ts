import type { ChangesetSelector, URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { CompareStoredOptions, FileChange, StateId, Workspace } from '../../ports/workspace.js';
import type { History } from './authorship/history.js';

/** What a changeset is about, whether or not it has subscribers. */
export interface Subject {
  /** The URI of the changeset in the form that this host writes. */
  readonly uri: URI;
  readonly session: Channel<'session'>;
  readonly selector: ChangesetSelector;
  /**
   * The changeset in each folder of the session that can be used now, the first one first. Throws a FolderError if that
   * cannot be used.
   */
  folders(): FolderSubject[];
}

/** What a changeset is about in one folder of its session. */
export interface FolderSubject extends Pick<Subject, 'uri' | 'session' | 'selector'> {
  /** The folder as a URI; `folder` is its real path. */
  readonly folderUri: URI;
  readonly folder: string;
  readonly workspace: Workspace;
  readonly isPrimary: boolean;
  /** Under this key is stored what is known about the session in this folder. */
  readonly key: string;
  /** Read from the disk, unless the options say that the watcher's knowledge is enough. */
  changes(options?: CompareStoredOptions): Promise<readonly FileChange[]>;
  /** What a turn and the later ones of its chat changed in the folder. */
  changesSince(turnId: string): Promise<readonly FileChange[]>;
  /** Everything that the turns of the session did in the folder. */
  history(): Promise<History>;
  /** The state of the folder after the turn, if the changeset is about a turn and the state is known. */
  stateAfter(): StateId | undefined;
}
