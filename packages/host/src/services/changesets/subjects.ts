import { type ChangesetSelector, changesetUri, parseChangesetUri, type URI } from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { ReadingDoor } from '../../core/door-parts.js';
import { FolderError } from '../../ports/folders.js';
import type { IndexEntry, UserIndex } from '../../ports/user-index.js';
import type {
  CompareStoredOptions,
  FileChange,
  FileVersion,
  PresentOptions,
  Workspace,
  Workspaces,
} from '../../ports/workspace.js';
import type { Elsewhere } from './elsewhere.js';
import type { ChangeRecords } from './records.js';
import type { SessionChanges } from './session-changes.js';
import type { SessionFolder, SessionFolders } from './session-folders.js';
import type { FolderSubject, Subject } from './subject.js';
import { pathOf } from './words.js';

export interface SubjectsOptions {
  readonly channels: ReadingDoor['channels'];
  readonly workspaces: Workspaces;
  readonly folders: SessionFolders;
  readonly records: ChangeRecords;
  readonly changes: SessionChanges;
  readonly elsewhere: Elsewhere;
}

/** Knows which changesets there are, and what each is about. */
export class Subjects {
  readonly #options: SubjectsOptions;

  constructor(options: SubjectsOptions) {
    this.#options = options;
  }

  /** Undefined when there is no such changeset. Throws a FolderError if the session's first folder cannot be used. */
  find(uri: URI): Subject | undefined {
    const { channels, folders } = this.#options;
    const parsed = parseChangesetUri(uri);
    const session = parsed && channels.load(parsed.session);
    if (!isKind(session, 'session') || !parsed || !this.exists(session, parsed.selector)) return undefined;
    if (folders.of(session).length === 0) return undefined;
    const { selector } = parsed;
    const subject = { uri: changesetUri(session.uri, selector), session, selector };
    return { ...subject, folders: () => folders.of(session).map((folder) => this.#inFolder(subject, folder)) };
  }

  /** Treats a missing folder as a missing changeset: a client that resubscribes to many must still get the others. */
  findIfFolderExists(uri: URI): Subject | undefined {
    try {
      return this.find(uri);
    } catch (error) {
      if (error instanceof FolderError) return undefined;
      throw error;
    }
  }

  /** A changeset exists if the chats have the turns it names (OQ-57, OQ-80), whatever the records hold. */
  exists(session: Channel<'session'>, selector: ChangesetSelector): boolean {
    if (selector.kind === 'chat') return session.state.chats.some(({ resource }) => resource === selector.chat);
    return turnsIn(selector).every((turnId) => this.#options.channels.chatWithTurn(session.state, turnId));
  }

  #inFolder(subject: Omit<Subject, 'folders'>, folder: SessionFolder): FolderSubject {
    const { records, changes } = this.#options;
    const { session, selector } = subject;
    const { uri: folderUri, path, workspace, isPrimary, key } = folder;
    return {
      ...subject,
      folderUri,
      folder: path,
      workspace,
      isPrimary,
      key,
      changes: (options = { freshness: 'exact' }) => this.#changesOf(subject, folder, options),
      changesSince: (turnId) => changes.since(session, folder, turnId),
      history: () => changes.history(session, folder),
      stateAfter: () => (selector.kind === 'turn' ? records.turn(folder, selector.turnId)?.end?.state : undefined),
    };
  }

  async #changesOf(
    { session, selector }: Omit<Subject, 'folders'>,
    folder: SessionFolder,
    options: CompareStoredOptions,
  ): Promise<readonly FileChange[]> {
    const { elsewhere, workspaces } = this.#options;
    const { workspace, path, isPrimary } = folder;
    if (selector.kind === 'elsewhere') return isPrimary ? elsewhere.changes(session.uri) : [];
    const changes = await this.#options.changes.of(session, folder, selector, options);
    const { freshness, signal } = options;
    if (selector.kind !== 'uncommitted' || !(await workspace.reference('head', { freshness, signal }))) return changes;
    return withIndexChanges(changes, workspace, workspaces.editor(path).index, { freshness });
  }
}

/** The turns that a changeset names; none if it is about the session or the folder. */
function turnsIn(selector: ChangesetSelector): string[] {
  if (selector.kind === 'turn') return [selector.turnId];
  return selector.kind === 'compare-turns' ? [selector.originalTurnId, selector.modifiedTurnId] : [];
}

/**
 * Adds to the changes on disk those that are only in the index: they would be in the next commit. Also adds files with a
 * conflict that are on disk as in the last commit.
 */
async function withIndexChanges(
  changes: readonly FileChange[],
  workspace: Workspace,
  index: UserIndex,
  { freshness }: PresentOptions,
): Promise<readonly FileChange[]> {
  const { staged, conflicted } = await index.status({ freshness });
  const shown = new Set(changes.flatMap(({ before, after }) => [before?.path, after?.path]));
  const hidden = [...staged].filter(([path]) => !shown.has(path));
  const undecided = [...conflicted].filter((path) => !shown.has(path));
  if (hidden.length + undecided.length === 0) return changes; // the same objects, which ChangesetChannel recognizes
  const before = hidden.flatMap(([path, { committed }]) => versionOf(path, committed));
  const after = hidden.flatMap(([path, { entry }]) => versionOf(path, entry));
  const onlyStaged = await workspace.compare(await workspace.compose(before), await workspace.compose(after));
  const committed = undecided.length > 0 ? await index.committed(undecided) : new Map<string, undefined>();
  const all = [
    ...changes,
    ...onlyStaged.map((change) => ({ ...change, onlyStaged: true })),
    ...[...committed].flatMap(([path, entry]) => versionOf(path, entry).map(unchanged)),
  ];
  return all.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
}

function versionOf(path: string, entry: IndexEntry | undefined): FileVersion[] {
  return entry ? [{ path, contentId: entry.id, mode: entry.mode }] : [];
}

function unchanged(version: FileVersion): FileChange {
  return { before: version, after: version, added: 0, removed: 0 };
}
