import {
  type AnnotationsState,
  activityOf,
  annotationsUri,
  type Changeset,
  type ChatState,
  type ChatSummary,
  createdAtOf,
  modifiedAtOf,
  type SessionState,
  SessionStatus,
  type SessionSummary,
  type URI,
  withActivity,
} from '@moorage/protocol';
import { listedChats } from '@moorage/protocol/internal';
import type { Channel } from './channel.js';
import type { ChannelTable } from './channel-table.js';

/**
 * The summary of a session as lists show it. No session action carries status, time and change counts, so the host
 * computes them from the catalogues of chats and changesets (B-126, B-128, OQ-34, OQ-36).
 */
export function projectSummary(resource: URI, state: SessionState): SessionSummary {
  const { provider, title, activity, origin, project, workingDirectories } = state;
  const changes = changesIn(state.changesets, 'session');
  return {
    resource,
    provider,
    title,
    status: withActivity(state.status, sessionActivity(state)),
    ...(activity !== undefined && { activity }),
    ...(origin && { origin }),
    createdAt: new Date(createdAtOf(state)).toISOString(),
    modifiedAt: new Date(modifiedAtOf(state)).toISOString(),
    ...(project && { project }),
    ...(workingDirectories && { workingDirectories }),
    ...(changes && { changes }),
    ...listedChats(state),
  };
}

/** The annotation counts of a session for its summary (B-120). */
export function annotationCounts(resource: URI, { annotations }: AnnotationsState): SessionSummary['annotations'] {
  const entryCount = annotations.reduce((sum, { entries }) => sum + entries.length, 0);
  return { resource, annotationCount: annotations.length, entryCount };
}

/**
 * The chat whose activity the session shows: the first that waits for input, else the first that failed, else the default
 * chat, else the newest (B-126, OQ-36).
 */
export function shownChat(chats: readonly ChatSummary[], defaultChat: URI | undefined): ChatSummary | undefined {
  return (
    chats.find((chat) => activityOf(chat.status) === SessionStatus.InputNeeded) ??
    chats.find((chat) => activityOf(chat.status) === SessionStatus.Error) ??
    chats.find((chat) => chat.resource === defaultChat) ??
    newest(chats)
  );
}

/**
 * The state of a chat for a snapshot. Fields that no chat action changes come from the session's catalogue (OQ-47), but not
 * its counts of changes: they would soon be wrong there, and `changesets` has them.
 */
export function presentChat(state: ChatState, session: SessionState | undefined): ChatState {
  const entry = session?.chats.find((chat) => chat.resource === state.resource);
  if (!entry) return state;
  const { status, activity, modifiedAt } = state;
  const { changes: _, ...shown } = entry;
  return { ...state, ...shown, status, activity, modifiedAt };
}

/** The part of a chat's state that the session's catalogue repeats (B-143). */
export function chatSummaryOf(chat: ChatState): ChatSummary {
  const { resource, title, status, activity, modifiedAt, changes, origin, interactivity, workingDirectories } = chat;
  return { resource, title, status, activity, modifiedAt, changes, origin, interactivity, workingDirectories };
}

/** The members of a summary that differ, in the form that `root/sessionSummaryChanged` sends; undefined when none does. */
function summaryChanges(before: SessionSummary, after: SessionSummary): Partial<SessionSummary> | undefined {
  const changes = MUTABLE.filter((name) => !sameValue(before[name], after[name])).map((name) => [
    name,
    valueOrCleared(name, after),
  ]);
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

const MUTABLE = [
  'title',
  'status',
  'activity',
  'modifiedAt',
  'project',
  'workingDirectories',
  'changes',
  'annotations',
  'chats',
  'defaultChat',
] as const satisfies readonly (keyof SessionSummary)[];

/** An omitted member means "unchanged", so a cleared one is sent explicitly: `activity` as '', others as null (OQ-25). */
function valueOrCleared(name: (typeof MUTABLE)[number], summary: SessionSummary): unknown {
  return summary[name] ?? (name === 'activity' ? '' : null);
}

function sameValue(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The change counts of a session or chat, from the entry of its own changeset in its catalogue (B-119). */
export function changesIn(
  changesets: readonly Changeset[] | undefined,
  kind: 'session' | 'chat',
): SessionSummary['changes'] {
  const entry = changesets?.find((changeset) => changeset.changeKind === kind);
  if (entry?.files === undefined) return undefined;
  const { additions, deletions, files } = entry;
  return { additions, deletions, files };
}

function sessionActivity({ chats, defaultChat }: SessionState): number {
  const shown = shownChat(chats, defaultChat);
  return shown ? activityOf(shown.status) : SessionStatus.Idle;
}

function newest(chats: readonly ChatSummary[]): ChatSummary | undefined {
  return chats.reduce<ChatSummary | undefined>(
    (latest, chat) => (latest && latest.modifiedAt >= chat.modifiedAt ? latest : chat),
    undefined,
  );
}

/** Remembers the summary last announced for each loaded session, to find out what root subscribers must be told. */
export class SummaryBoard {
  readonly #announced = new Map<URI, SessionSummary>();
  readonly #channels: ChannelTable;
  /** Whether a session is in no list, so that nobody must be told of it. */
  isUnlisted: (session: URI) => boolean = () => false;

  constructor(channels: ChannelTable) {
    this.#channels = channels;
  }

  summaryOf(session: Channel<'session'>): SessionSummary {
    const resource = annotationsUri(session.uri);
    const channel = this.#channels.find('annotations', resource);
    const annotations = channel && annotationCounts(resource, channel.state);
    return { ...projectSummary(session.uri, session.state), ...(annotations && { annotations }) };
  }

  /** Notes the summary before a change, unless one is noted already; `announce` compares with it. */
  remember(session: Channel<'session'>): void {
    if (!this.#announced.has(session.uri)) this.#announced.set(session.uri, this.summaryOf(session));
  }

  /** The first announcement of a session. */
  introduce(session: Channel<'session'>): Announcement {
    const summary = this.summaryOf(session);
    this.#announced.set(session.uri, summary);
    return { summary, changes: summary, undo: () => this.forget(session.uri) };
  }

  /** What changed since the last announcement, and how to undo having announced it; undefined when nothing did. */
  announce(session: Channel<'session'>): Announcement | undefined {
    if (this.isUnlisted(session.uri)) return undefined;
    const before = this.#announced.get(session.uri);
    const summary = this.summaryOf(session);
    const changes = before && summaryChanges(before, summary);
    if (!changes) return undefined;
    this.#announced.set(session.uri, summary);
    return { summary, changes, undo: () => this.#announced.set(session.uri, before) };
  }

  forget(session: URI): void {
    this.#announced.delete(session);
  }
}

export interface Announcement {
  readonly summary: SessionSummary;
  readonly changes: Partial<SessionSummary>;
  readonly undo: () => void;
}
