import {
  type ChangesetFile,
  type ChangesetSelector,
  type ContentRef,
  changesetUri,
  parseChangesetUri,
  type URI,
} from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { FileChange, Workspace, Workspaces } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';
import { textsOf } from './authorship/texts.js';
import { baseBranchOf } from './base-branch.js';
import { countsOf } from './catalogue.js';
import { ChangesetChannel } from './changeset-channel.js';
import { Elsewhere } from './elsewhere.js';
import { elsewhereFile } from './files.js';
import type { OperationJournal, OperationRecord } from './journal.js';
import { LiveElsewhere } from './live-elsewhere.js';
import { OpenChangesets } from './open-changesets.js';
import { pathNow, versionAt } from './pinned.js';
import { Publisher } from './publisher.js';
import { ChangeRecords } from './records.js';
import { RunningTurns } from './running-turns.js';
import { SessionChanges } from './session-changes.js';
import { SessionFolders } from './session-folders.js';
import { SessionWork } from './session-work.js';
import { ShownInFolders } from './shown-in-folders.js';
import type { Subject } from './subject.js';
import { Subjects } from './subjects.js';
import { TurnRecorder } from './turn-recorder.js';
import { pathOf } from './words.js';

export interface ChangesetServiceOptions {
  readonly workspaces: Workspaces;
  readonly journal: OperationJournal;
  /** Reads the contents that agents store with their edits. */
  readonly contentAt: (uri: URI) => Uint8Array | undefined;
  /** Stores content with a session. */
  readonly store: (session: URI, content: Uint8Array) => ContentRef;
}

/** Shows what agents change as changesets that stay up to date. */
export class ChangesetService {
  readonly #context: HostContext;
  readonly #workspaces: Workspaces;
  readonly #records: ChangeRecords;
  /** What operations did. Changesets are computed from this and from the records of turns. */
  readonly journal: OperationJournal;
  readonly turns: TurnRecorder;
  /** The turns that run now. */
  readonly running: RunningTurns;
  readonly #live: LiveElsewhere;
  readonly #subjects: Subjects;
  readonly #folders: SessionFolders;
  readonly #publisher: Publisher;
  readonly #open: OpenChangesets;
  readonly #work: SessionWork;

  constructor(context: HostContext, { workspaces, journal, contentAt, store }: ChangesetServiceOptions) {
    this.#context = context;
    this.#workspaces = workspaces;
    this.journal = journal;
    const textsIn = (workspace: Workspace) => textsOf(workspaces, workspace);
    const { channels } = context.door;
    const records = new ChangeRecords(context);
    const running = new RunningTurns({ clock: context.clock, textsOf: textsIn, contentAt });
    const changes = new SessionChanges(channels, records, journal, running, textsIn);
    const elsewhere = new Elsewhere(context, { store, contentAt });
    const folders = new SessionFolders(context, workspaces);
    const work = new SessionWork(context);
    const publisher = new Publisher(context, { folders, records, changes, elsewhere, work });
    const open = new OpenChangesets(context);
    const live = new LiveElsewhere(context, { records, running, elsewhere, work, publisher, open });
    const recording = { folders, records, journal, running, changes, elsewhere, live, work, publisher, open };
    this.turns = new TurnRecorder(context, recording);
    this.#subjects = new Subjects({ channels, workspaces, folders, records, changes, elsewhere });
    this.#records = records;
    this.running = running;
    this.#live = live;
    this.#folders = folders;
    this.#publisher = publisher;
    this.#open = open;
    this.#work = work;
  }

  /** The files of a changeset as its watchers see them now; none while it has no watchers. */
  shownFiles(uri: URI): readonly ChangesetFile[] {
    const channel = this.#context.door.channels.peek(uri);
    return isKind(channel, 'changeset') ? channel.state.files : [];
  }

  onUsed(uri: URI): void {
    this.#publisher.onUsed(uri);
  }

  onUnused(uri: URI): void {
    this.#open.onUnused(uri);
    const parsed = parseChangesetUri(uri);
    if (parsed) this.#publisher.counts.set(parsed.session, changesetUri(parsed.session, parsed.selector), undefined);
  }

  onChat(committed: Committed<'chat'>): void {
    if (committed.action.type === 'chat/truncated')
      this.#endChangesetsOfRemovedTurns(this.#context.door.channels.sessionOf(committed.channel));
    this.turns.onChat(committed);
  }

  onSession({ channel: session, action, before }: Committed<'session'>): void {
    if (action.type === 'session/ready') {
      this.#records.forget(session.uri);
      this.#publisher.begin(session);
    }
    if (action.type === 'session/chatRemoved') this.#endChangesetsOfRemovedTurns(session);
    if (action.type === 'session/chatAdded' && action.summary.changes === undefined)
      this.#publisher.chatAdded(session, action.summary.resource);
    if (FOLDER_ACTIONS.has(action.type)) {
      this.#publisher.begin(session); // new folders need a first state
      this.#open.foldersChanged(session.uri);
    }
    const previousBase = before.config?.values.baseBranch;
    if (action.type !== 'session/configChanged' || baseBranchOf(session) === previousBase) return;
    this.#publisher.again(session);
    for (const changeset of this.#open.of(session.uri)) {
      if (parseChangesetUri(changeset.channel.uri)?.selector.kind === 'branch') changeset.restart();
    }
  }

  /** The channel of a changeset, opened for its first subscriber; undefined when there is no such changeset. */
  open(uri: URI): Channel<'changeset'> | undefined {
    const known = this.#open.get(uri);
    if (known) return known;
    const subject = this.#subjects.findIfFolderExists(uri);
    if (!subject) return undefined;
    const { session, selector } = subject;
    const { door, clock, log } = this.#context;
    const shown = new ShownInFolders(subject, (folder) => ({
      journal: this.journal,
      editor: this.#workspaces.editor(folder),
    }));
    // Sent as actions from the start, so that a client from before a restart of the host catches up by replaying them.
    const channel = door.openEphemeral(uri, 'changeset', { status: 'computing', files: [] }, 0);
    door.commit(channel, { type: 'changeset/statusChanged', status: 'computing' });
    const changeset = new ChangesetChannel(channel, {
      door,
      clock,
      log,
      compute: (options) => shown.compute(options),
      ...(selector.kind === 'elsewhere' ? { idOf: pathOf, toFile: elsewhereFile } : shown),
      ...(isOfFolder(selector) && {
        onShown: (changes: readonly FileChange[]) =>
          this.#publisher.counts.set(session.uri, subject.uri, countsOf(changes)),
      }),
    });
    const workspaces = () => this.#folders.usable(session).map(({ workspace }) => workspace);
    this.#open.add({ changeset, session: session.uri, workspaces });
    return channel;
  }

  /** What a changeset is about, whether or not it has subscribers; undefined when there is no such changeset. */
  subject(uri: URI): Subject | undefined {
    return this.#subjects.find(uri);
  }

  /** A file of a folder before or after a turn; undefined if no turn of the session changed it, or if its content is not kept. */
  async fileAt(
    session: Channel<'session'>,
    folderUri: URI,
    turnId: string,
    path: string,
    side: 'before' | 'after',
  ): Promise<Uint8Array | undefined> {
    const folder = this.#folders.of(session).find(({ uri }) => uri === folderUri);
    const version = folder && versionAt(this.#records.turns(folder), turnId, path, side);
    const content = version && (await this.#workspaces.read(folder.workspace.id, version.contentId));
    return content instanceof Uint8Array ? content : undefined;
  }

  /** The present path of the file that was at this path in a folder when the turn ended. */
  pathNow(session: Channel<'session'>, folderUri: URI, turnId: string, path: string): string {
    const folder = this.#folders.usable(session).find(({ uri }) => uri === folderUri);
    return folder ? pathNow(this.#records.turns(folder), turnId, path) : path;
  }

  /** Takes note of what an operation did in a folder, so that it does not count as what a turn did. */
  operated(workspace: Workspace, { id, session, steps }: OperationRecord): void {
    const at = this.running.operated(workspace, steps);
    const channel = session === undefined ? undefined : this.#context.door.channels.find('session', session);
    const folder = channel && this.#folders.usable(channel).find((one) => one.workspace === workspace);
    if (folder) this.#records.putOperation(folder, { id, at, steps }, this.running.in(workspace));
  }

  /** Refreshes the session's changesets after an operation, whose answer does not wait for that. */
  changed(uri: URI | undefined): void {
    if (uri === undefined) return;
    const refresh = () => {
      this.#open.refresh(uri);
      void this.#work.run(uri, async () => {
        // The session may have been unloaded while the operation ran.
        const session = this.#context.door.channels.find('session', uri);
        if (session) await this.#publisher.publish(session);
      });
    };
    this.#context.clock.defer(refresh);
  }

  /** Ends the changesets of the session. */
  sessionDisposed(session: URI): void {
    this.#open.end(session);
    this.#records.forget(session);
  }

  /** Whether turns run in the folder, or changesets of it have subscribers. */
  isInUse(workspace: Workspace): boolean {
    return this.running.in(workspace).length > 0 || this.#open.areIn(workspace);
  }

  /** Whether work for the session has not finished. The session must stay in memory to receive the result. */
  isBusyFor(session: URI): boolean {
    return this.#work.isBusyFor(session);
  }

  /** Gives up all other work because the host stops, and resolves when none runs any more. */
  async close(): Promise<void> {
    this.#work.stop();
    this.#open.closeAll();
    await this.#work.finished();
    this.running.unwatchAll();
    this.#live.endAll();
  }

  #endChangesetsOfRemovedTurns(session: Channel<'session'> | undefined): void {
    if (!session || !this.#context.door.isOpen(session)) return;
    this.#open.end(session.uri, (uri) => {
      const parsed = parseChangesetUri(uri);
      return parsed !== undefined && !this.#subjects.exists(session, parsed.selector);
    });
  }
}

const FOLDER_ACTIONS: ReadonlySet<string> = new Set([
  'session/workingDirectorySet',
  'session/workingDirectoryRemoved',
  'session/workingDirectoryReplaced',
]);

/** Whether the changeset ends with the folder as it is now. */
function isOfFolder({ kind }: ChangesetSelector): boolean {
  return kind === 'uncommitted' || kind === 'branch';
}
