import type { BlameAuthor, BlamedTurn, BlameParams, BlameResult, BlameSpan } from '@moorage/protocol';
import { invalidParams, notFound } from '../../core/errors.js';
import type { FileVersion, Workspaces } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';
import { blame, type LineAuthors } from './authorship/blame.js';
import type { Step } from './authorship/fold.js';
import type { History } from './authorship/history.js';
import { textsOf } from './authorship/texts.js';
import type { Authorship } from './authorship/weave.js';
import type { ChangesetService } from './changeset-service.js';
import { findFile } from './find-file.js';
import { MAX_BLAMED_LINES, MAX_BLAMED_MESSAGE_CHARS } from './limits.js';
import type { Subject } from './subject.js';
import { pathOf } from './words.js';

/** Tells who wrote the lines of a file in a changeset. */
export class BlameService {
  readonly #context: HostContext;
  readonly #changesets: ChangesetService;
  readonly #workspaces: Workspaces;

  constructor(context: HostContext, changesets: ChangesetService, workspaces: Workspaces) {
    this.#context = context;
    this.#changesets = changesets;
    this.#workspaces = workspaces;
  }

  async of({ channel, file, side, lines = ALL }: BlameParams): Promise<BlameResult> {
    const subject = this.#changesets.subject(channel);
    if (!subject) throw notFound(channel);
    if (subject.selector.kind === 'commit')
      throw invalidParams('params/channel: expected another changeset; git blame knows the lines of a commit');
    const found = await findFile(subject, file);
    if (!found) throw invalidParams('params/file: expected the id of a file of this changeset');
    const { folder, change } = found;
    const history = await folder.history();
    const texts = textsOf(this.#workspaces, folder.workspace);
    const read = (version: FileVersion | undefined) => (version ? texts.read(version) : []);
    const [before, after] = [await read(change.before), await read(change.after)];
    const question = { path: pathOf(change), history, isEnd: endOf(subject, history), texts };
    const known = before && after && (await blame({ ...question, before, after }));
    if (!known) throw invalidParams('params/file: expected a text of at most 4 MB; only its lines have authors');
    const end = lines.start + Math.min(lines.count, MAX_BLAMED_LINES);
    const wanted = known[side].slice(lines.start, end);
    return { ...this.#written(wanted, lines.start, history), lineCount: known[side].length };
  }

  /** Successive lines with the same authors are one span; each author is written once. */
  #written(lines: readonly LineAuthors[], start: number, history: History): Pick<BlameResult, 'authors' | 'spans'> {
    const authors: BlameAuthor[] = [];
    const numbers = new Map<string, number>();
    const numberOf = (change: Authorship): number => {
      const key = JSON.stringify([change.by, change.sharedWith]);
      const known = numbers.get(key) ?? authors.push(this.#author(change, history)) - 1;
      numbers.set(key, known);
      return known;
    };
    const spans: BlameSpan[] = [];
    for (const [index, { addedBy, removedBy }] of lines.entries()) {
      const [added, removed] = [addedBy && numberOf(addedBy), removedBy && numberOf(removedBy)];
      const last = spans.at(-1);
      if (last && last.addedBy === added && last.removedBy === removed) last.count++;
      else
        spans.push({
          start: start + index,
          count: 1,
          ...(added !== undefined && { addedBy: added }),
          ...(removed !== undefined && { removedBy: removed }),
        });
    }
    return { authors, spans };
  }

  #author({ by, sharedWith }: Authorship, { turns }: History): BlameAuthor {
    if (by.length === 0) return { whose: 'user' };
    return {
      whose: sharedWith ? 'shared' : 'agent',
      turns: by.map((key) => this.#turn(turns.get(key) ?? { turnId: key })),
      ...(sharedWith && { sharedWith: [...sharedWith] }),
    };
  }

  #turn({ turnId, chat }: { readonly turnId: string; readonly chat?: string }): BlamedTurn {
    const state = chat === undefined ? undefined : this.#context.door.channels.find('chat', chat)?.state;
    const turn = [state?.activeTurn, ...(state?.turns ?? [])].find((one) => one?.id === turnId);
    const message = turn?.message.text.slice(0, MAX_BLAMED_MESSAGE_CHARS);
    return { turnId, ...(chat !== undefined && { chat }), ...(message !== undefined && { message }) };
  }
}

const ALL = { start: 0, count: MAX_BLAMED_LINES };

/** The steps after which a file was as the changeset shows it; undefined if it shows the folder as it is now. */
function endOf({ selector }: Subject, { turns }: History): ((step: Step) => boolean) | undefined {
  switch (selector.kind) {
    case 'uncommitted':
    case 'branch':
    case 'commit':
      return undefined;
    case 'session':
    case 'elsewhere':
      return () => true;
    case 'chat':
      return ({ by, isOperation }) => isOperation || by.some((key) => turns.get(key)?.chat === selector.chat);
    case 'turn':
      return ({ by }) => by.includes(selector.turnId);
    case 'compare-turns': {
      const keys = [...turns.keys()];
      const before = new Set(keys.slice(0, keys.indexOf(selector.modifiedTurnId) + 1));
      return ({ by }) => by.some((key) => before.has(key));
    }
  }
}
