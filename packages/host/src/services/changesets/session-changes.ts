import { type ChangesetSelector, changesetUri, type URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { ReadingDoor } from '../../core/door-parts.js';
import type { CompareStoredOptions, FileChange, PresentOptions, StateId, Workspace } from '../../ports/workspace.js';
import type { Step, Texts } from './authorship/fold.js';
import { compareFolded, foldAll, type History, historyOf } from './authorship/history.js';
import { markOthers } from './authorship/others.js';
import { baseBranchOf } from './base-branch.js';
import { type Counts, countsOf } from './catalogue.js';
import type { OperationJournal } from './journal.js';
import type { ChangeRecords, RecordedChange, TurnRecord } from './records.js';
import type { RunningTurn, RunningTurns } from './running-turns.js';
import type { SessionFolder } from './session-folders.js';
import { withoutSteps, withViews } from './views.js';

/** Computes what each changeset of a session holds in one of its folders, from the records of its turns and from the folder. */
export class SessionChanges {
  readonly #records: ChangeRecords;
  readonly #journal: OperationJournal;
  readonly #running: RunningTurns;
  readonly #channels: ReadingDoor['channels'];
  readonly #textsOf: (workspace: Workspace) => Texts;
  /** The counts of chats, with the files that they are of: comparing those again would cost a run of git for each chat. */
  readonly #counts = new WeakMap<
    Channel<'session'>,
    Map<string, { readonly files: string; readonly counts: Counts }>
  >();

  constructor(
    channels: ReadingDoor['channels'],
    records: ChangeRecords,
    journal: OperationJournal,
    running: RunningTurns,
    textsOf: (workspace: Workspace) => Texts,
  ) {
    this.#textsOf = textsOf;
    this.#channels = channels;
    this.#records = records;
    this.#journal = journal;
    this.#running = running;
  }

  async of(
    session: Channel<'session'>,
    folder: SessionFolder,
    selector: ChangesetSelector,
    options: CompareStoredOptions,
  ): Promise<readonly FileChange[]> {
    const { workspace } = folder;
    switch (selector.kind) {
      case 'turn': {
        const record = this.#records.turn(folder, selector.turnId);
        if (!record) return [];
        return this.#asShown(folder, selector, await this.ofTurn(folder, record, options));
      }
      case 'session':
        return this.inHistory(workspace, await this.history(session, folder));
      case 'chat':
        return this.inHistory(workspace, await this.history(session, folder), selector.chat);
      case 'compare-turns': {
        const { originalTurnId, modifiedTurnId } = selector;
        const after = (turnId: string) => this.#positionAfter(session, folder, turnId);
        const [from, to] = [after(originalTurnId), after(modifiedTurnId)];
        return this.#asShown(folder, selector, await this.#between(session, folder, from, to, options));
      }
      case 'commit': {
        const { freshness, signal } = options;
        const states = await workspace.ofCommit(selector.commit, { freshness, signal });
        return states ? workspace.compare(states.before, states.after, options) : [];
      }
      case 'elsewhere':
        return []; // no state shows it
      case 'uncommitted':
      case 'branch': {
        const from = await this.#reference(session, folder, selector.kind, options);
        if (from === undefined) return [];
        const { freshness, signal } = options;
        return workspace.compareStored(from, await workspace.checkpoint({ freshness, signal }), options);
      }
    }
  }

  /** What a turn changed, or has changed so far if it still runs. */
  async ofTurn(
    folder: SessionFolder,
    { turnId, begin, end }: TurnRecord,
    options: CompareStoredOptions,
  ): Promise<readonly RecordedChange[]> {
    if (end) return end.files;
    const { session, workspace } = folder;
    const now = await workspace.checkpoint({ freshness: options.freshness, signal: options.signal });
    return this.ownOf(folder, { session, turnId }, await workspace.compare(begin, now, options), now);
  }

  /** Of the changes from the begin of a turn to a state, those that the turn made. */
  async ownOf(
    { workspace, path }: SessionFolder,
    turn: RunningTurn,
    changes: readonly FileChange[],
    state: StateId,
  ): Promise<RecordedChange[]> {
    if (this.#running.isWhole(turn, workspace)) return this.#running.ownOf(turn, workspace, changes, state);
    return [...(await withoutSteps(workspace, changes, this.#journal.duringTurn(turn, path)))];
  }

  /** Everything that turns of a session and operations are known to have done in a folder, path by path. */
  async history(session: Channel<'session'>, folder: SessionFolder): Promise<History> {
    const records = this.#records.turns(folder);
    const keys = this.#records.session(folder).turns;
    const lists = await Promise.all(records.map((record) => this.ofTurn(folder, record, { freshness: 'exact' })));
    return historyOf(
      records.map((record, index) => {
        const chat = record.isOperation ? undefined : this.#chatOf(session, record);
        return { ...record, ...(chat && { chat }), key: keys[index] ?? '', files: lists[index] ?? [] };
      }),
    );
  }

  /** What the turns of a session changed, or those of one chat. */
  async inHistory(workspace: Workspace, history: History, chat?: URI): Promise<FileChange[]> {
    return compareFolded(workspace, await foldAll(history, turnsIn(history, chat), this.#textsOf(workspace)));
  }

  /** What a turn and the later ones of its chat changed, without what others did meanwhile. */
  async since(session: Channel<'session'>, folder: SessionFolder, turnId: string): Promise<readonly FileChange[]> {
    const { turns = [], activeTurn } = this.#channels.chatWithTurn(session.state, turnId)?.state ?? {};
    const ids = [...turns, ...(activeTurn ? [activeTurn] : [])].map(({ id }) => id);
    const own = new Set(ids.slice(ids.indexOf(turnId)));
    const history = await this.history(session, folder);
    const folded = await foldAll(history, (key) => own.has(key), this.#textsOf(folder.workspace));
    return compareFolded(folder.workspace, folded);
  }

  /** How many files and lines the turns of each chat changed. Chats whose turns changed nothing are left out. */
  async countsByChat(
    session: Channel<'session'>,
    workspace: Workspace,
    history: History,
  ): Promise<ReadonlyMap<URI, Counts>> {
    const chats = new Set([...history.turns.values()].flatMap(({ chat }) => chat ?? []));
    const known = this.#counts.get(session) ?? new Map<string, { files: string; counts: Counts }>();
    this.#counts.set(session, known);
    const texts = this.#textsOf(workspace);
    const all = new Map<URI, Counts>();
    for (const chat of chats) {
      const key = `${workspace.id} ${chat}`;
      const folded = await foldAll(history, turnsIn(history, chat), texts);
      const files = JSON.stringify([folded.before, folded.after]);
      const last = known.get(key);
      const counts = last?.files === files ? last.counts : countsOf(await compareFolded(workspace, folded));
      known.set(key, { files, counts });
      all.set(chat, counts);
    }
    return all;
  }

  /** The chat that a turn is in. Records of earlier versions do not say it. */
  #chatOf(session: Channel<'session'>, { turnId, chat }: TurnRecord): URI | undefined {
    return chat ?? this.#channels.chatWithTurn(session.state, turnId)?.uri;
  }

  async #reference(
    session: Channel<'session'>,
    folder: SessionFolder,
    kind: 'uncommitted' | 'branch',
    { freshness, signal }: PresentOptions,
  ) {
    const { workspace } = folder;
    if (kind === 'branch')
      return workspace.reference('mergeBase', { baseBranch: baseBranchOf(session, folder), freshness, signal });
    return (await workspace.reference('head', { freshness, signal })) ?? this.#records.session(folder).base;
  }

  /** Leaves out what operations have taken back: the records of past turns do not change with the folder. */
  #asShown(
    { session, workspace, path, isPrimary }: SessionFolder,
    selector: ChangesetSelector,
    changes: readonly FileChange[],
  ): Promise<readonly FileChange[]> {
    const { views } = this.#journal.of(changesetUri(session, selector));
    return withViews(
      workspace,
      changes,
      views.flatMap((view) => ((view.folder ?? (isPrimary ? path : undefined)) === path ? view.changes : [])),
    );
  }

  /** The position after a turn in the list. A turn without a record changed nothing: the turn before it counts. */
  #positionAfter(session: Channel<'session'>, folder: SessionFolder, turnId: string): number {
    const { turns } = this.#records.session(folder);
    const before = this.#channels.chatWithTurn(session.state, turnId)?.state.turns.map(({ id }) => id) ?? [];
    const own = before.indexOf(turnId);
    const upTo = [...(own < 0 ? before : before.slice(0, own)), turnId];
    return turns.indexOf(upTo.findLast((id) => turns.includes(id)) ?? '') + 1;
  }

  /**
   * The files after one position in the list of turns compared with those after another. What others than the turns in
   * between changed is marked.
   */
  async #between(
    session: Channel<'session'>,
    folder: SessionFolder,
    from: number,
    to: number,
    options: CompareStoredOptions,
  ): Promise<FileChange[]> {
    const { workspace } = folder;
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    const [older, newer] = [
      await this.#stateAfter(folder, first, options),
      await this.#stateAfter(folder, last, options),
    ];
    const history = await this.history(session, folder);
    const all = this.#records.session(folder).turns;
    const [until, own] = [new Set(all.slice(0, last)), new Set(all.slice(first, last))];
    const isOwn = (key: string) => own.has(key);
    const texts = this.#textsOf(workspace);
    if (older === undefined || newer === undefined) {
      // Records of earlier versions do not have the states after turns; then only what the turns changed is known.
      const changes = await compareFolded(workspace, await foldAll(history, isOwn, texts));
      return from <= to ? changes : reversed(workspace, changes);
    }
    const isEnd = ({ by }: Step) => by.some((key) => until.has(key));
    const changes = await workspace.compare(older, newer, options);
    const marked = await markOthers(changes, { history, isOwn, isEnd, texts });
    return from <= to ? marked : reversed(workspace, marked);
  }

  /** The state of the folder after a position in the list of turns: now if that turn runs, undefined if it is not known. */
  async #stateAfter(
    folder: SessionFolder,
    position: number,
    { freshness, signal }: PresentOptions,
  ): Promise<StateId | undefined> {
    const { turns, base } = this.#records.session(folder);
    const record = this.#records.turn(folder, turns[position - 1] ?? '');
    if (!record) return this.#records.turns(folder).find(({ begin }) => begin !== '')?.begin ?? base;
    return record.end ? record.end.state : folder.workspace.checkpoint({ freshness, signal });
  }
}

/** The same changes from the newer files to the older ones. */
async function reversed(workspace: Workspace, changes: readonly FileChange[]): Promise<FileChange[]> {
  const [older, newer] = await Promise.all([
    workspace.compose(changes.flatMap(({ before }) => before ?? [])),
    workspace.compose(changes.flatMap(({ after }) => after ?? [])),
  ]);
  const notes = new Map(changes.map((change) => [change.before?.path ?? change.after?.path, change]));
  return (await workspace.compare(newer, older)).map((change) => {
    const { sharedWith, sharedHunks, changedBetween } = notes.get(change.after?.path ?? change.before?.path) ?? {};
    return {
      ...change,
      ...(sharedWith && { sharedWith }),
      ...(sharedHunks && {
        sharedHunks: sharedHunks.map((hunk) => ({ ...hunk, before: hunk.after, after: hunk.before })),
      }),
      ...(changedBetween && { changedBetween }),
    };
  });
}

/** Tells by its key whether a turn is one of the session's, or of a chat's. */
function turnsIn({ turns }: History, chat?: URI): (key: string) => boolean {
  return (key) => turns.has(key) && (chat === undefined || turns.get(key)?.chat === chat);
}
