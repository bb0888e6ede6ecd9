import { type ChangesetSelector, changesetUri, type URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { chatWithTurn } from '../../core/chat-turns.js';
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
import { withoutSteps, withViews } from './views.js';

/** Computes what each changeset of a session holds, from the records of its turns and from the folder. */
export class SessionChanges {
  readonly #records: ChangeRecords;
  readonly #journal: OperationJournal;
  readonly #running: RunningTurns;
  readonly #channels: ReadingDoor['channels'];
  readonly #textsOf: (workspace: Workspace) => Texts;
  /** The counts of chats, with the files that they are of: comparing those again would cost a run of git for each chat. */
  readonly #counts = new WeakMap<Channel<'session'>, Map<URI, { readonly files: string; readonly counts: Counts }>>();

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
    workspace: Workspace,
    selector: ChangesetSelector,
    options: CompareStoredOptions,
  ): Promise<readonly FileChange[]> {
    switch (selector.kind) {
      case 'turn': {
        const record = this.#records.turn(session.uri, selector.turnId);
        if (!record) return [];
        return this.#asShown(session, workspace, selector, await this.ofTurn(session.uri, workspace, record, options));
      }
      case 'session':
        return this.inHistory(workspace, await this.history(session, workspace));
      case 'chat':
        return this.inHistory(workspace, await this.history(session, workspace), selector.chat);
      case 'compare-turns': {
        const { originalTurnId, modifiedTurnId } = selector;
        const [from, to] = [this.#positionAfter(session, originalTurnId), this.#positionAfter(session, modifiedTurnId)];
        const changes = await this.#between(session, workspace, from, to, options);
        return this.#asShown(session, workspace, selector, changes);
      }
      case 'elsewhere':
        return []; // no state shows it
      case 'uncommitted':
      case 'branch': {
        const from = await this.#reference(session, workspace, selector.kind, options);
        if (from === undefined) return [];
        const { freshness, signal } = options;
        return workspace.compareStored(from, await workspace.checkpoint({ freshness, signal }), options);
      }
    }
  }

  /** What a turn changed, or has changed so far if it still runs. */
  async ofTurn(
    session: URI,
    workspace: Workspace,
    { turnId, begin, end }: TurnRecord,
    options: CompareStoredOptions,
  ): Promise<readonly RecordedChange[]> {
    if (end) return end.files;
    const now = await workspace.checkpoint({ freshness: options.freshness, signal: options.signal });
    return this.ownOf(workspace, { session, turnId }, await workspace.compare(begin, now, options), now);
  }

  /** Of the changes from the begin of a turn to a state, those that the turn made. */
  async ownOf(
    workspace: Workspace,
    turn: RunningTurn,
    changes: readonly FileChange[],
    state: StateId,
  ): Promise<RecordedChange[]> {
    if (this.#running.isWhole(turn)) return this.#running.ownOf(turn, changes, state);
    return [...(await withoutSteps(workspace, changes, this.#journal.duringTurn(turn)))];
  }

  /** Everything that turns of a session and operations are known to have done, path by path. */
  async history(session: Channel<'session'>, workspace: Workspace): Promise<History> {
    const records = this.#records.turns(session.uri);
    const keys = this.#records.session(session.uri).turns;
    const lists = await Promise.all(
      records.map((record) => this.ofTurn(session.uri, workspace, record, { freshness: 'exact' })),
    );
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

  /** How many files and lines the turns of each chat changed. Chats whose turns changed nothing are left out. */
  async countsByChat(
    session: Channel<'session'>,
    workspace: Workspace,
    history: History,
  ): Promise<ReadonlyMap<URI, Counts>> {
    const chats = new Set([...history.turns.values()].flatMap(({ chat }) => chat ?? []));
    const known = this.#counts.get(session) ?? new Map<URI, { files: string; counts: Counts }>();
    this.#counts.set(session, known);
    const texts = this.#textsOf(workspace);
    for (const chat of chats) {
      const folded = await foldAll(history, turnsIn(history, chat), texts);
      const files = JSON.stringify([folded.before, folded.after]);
      if (known.get(chat)?.files === files) continue;
      known.set(chat, { files, counts: countsOf(await compareFolded(workspace, folded)) });
    }
    return new Map([...known].filter(([chat]) => chats.has(chat)).map(([chat, { counts }]) => [chat, counts]));
  }

  /** The chat that a turn is in. Records of earlier versions do not say it. */
  #chatOf(session: Channel<'session'>, { turnId, chat }: TurnRecord): URI | undefined {
    return chat ?? chatWithTurn(this.#channels, session.state, turnId)?.uri;
  }

  async #reference(
    session: Channel<'session'>,
    workspace: Workspace,
    kind: 'uncommitted' | 'branch',
    { freshness, signal }: PresentOptions,
  ) {
    if (kind === 'branch')
      return workspace.reference('mergeBase', { baseBranch: baseBranchOf(session), freshness, signal });
    return (await workspace.reference('head', { freshness, signal })) ?? this.#records.session(session.uri).base;
  }

  /** Leaves out what operations have taken back: the records of past turns do not change with the folder. */
  #asShown(
    session: Channel<'session'>,
    workspace: Workspace,
    selector: ChangesetSelector,
    changes: readonly FileChange[],
  ): Promise<readonly FileChange[]> {
    const { views } = this.#journal.of(changesetUri(session.uri, selector));
    return withViews(
      workspace,
      changes,
      views.flatMap((view) => view.changes),
    );
  }

  /** The position after a turn in the list. A turn without a record changed nothing: the turn before it counts. */
  #positionAfter(session: Channel<'session'>, turnId: string): number {
    const { turns } = this.#records.session(session.uri);
    const before = chatWithTurn(this.#channels, session.state, turnId)?.state.turns.map(({ id }) => id) ?? [];
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
    workspace: Workspace,
    from: number,
    to: number,
    options: CompareStoredOptions,
  ): Promise<FileChange[]> {
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    const [older, newer] = [
      await this.#stateAfter(session.uri, workspace, first, options),
      await this.#stateAfter(session.uri, workspace, last, options),
    ];
    const history = await this.history(session, workspace);
    const all = this.#records.session(session.uri).turns;
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
    session: URI,
    workspace: Workspace,
    position: number,
    { freshness, signal }: PresentOptions,
  ): Promise<StateId | undefined> {
    const { turns, base } = this.#records.session(session);
    const record = this.#records.turn(session, turns[position - 1] ?? '');
    if (!record) return this.#records.turns(session).find(({ begin }) => begin !== '')?.begin ?? base;
    return record.end ? record.end.state : workspace.checkpoint({ freshness, signal });
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
