import {
  type AnnotationsState,
  annotationsUri,
  type ChannelKind,
  type ChatState,
  CREATED_AT,
  isObject,
  type SessionState,
  type SessionSummary,
  type URI,
} from '@moorage/protocol';
import { isUnsettled } from '../../core/keeping.js';
import { annotationCounts, chatSummaryOf, projectSummary } from '../../core/summary.js';
import type { DamagedChannel, DamagedSession, DamagedStore } from '../../ports/damaged-store.js';
import type { ChannelPut, Store } from '../../ports/store.js';
import { newChatState, newSessionState } from '../sessions/new-session.js';
import { isState, parse, type Rebuilt, rebuild } from './rebuild.js';
import { isOfHost, rescueAutomations } from './rescue-automations.js';

/** What was recovered and what was lost. */
export interface Recovery {
  /** Sessions that were saved. */
  readonly sessions: number;
  /** Chats that were saved. */
  readonly chats: number;
  /** Documents that were saved. */
  readonly documents: number;
  /** What was lost or is incomplete, one sentence each. */
  readonly losses: readonly string[];
  /** Those of them that are not damaged, but too large to be read. */
  readonly tooLarge: readonly string[];
}

/** Added to the highest readable serverSeq: numbers used in unreadable parts of the file must not be used again. */
const SKIPPED_NUMBERS = 1_000_000;

/** Writes everything readable from a damaged store into a new one, session by session. */
export function recoverStore(damaged: DamagedStore, store: Store, now: number): Recovery {
  const losses: string[] = [];
  const tooLarge: string[] = [];
  const seq = damaged.seqCeiling + SKIPPED_NUMBERS;
  store.commit({ seqCeiling: seq });
  const channelsOf = groupBySession(damaged.channels);
  const saved = new Map<number, URI>();
  let chats = 0;
  let sessions = 0;
  for (const session of damaged.sessions) {
    if (isOfHost(session)) {
      const { id, uri, disposedAt } = session;
      const channels = rescueAutomations(session, channelsOf.get(id) ?? [], { damaged, losses, seq });
      const disposals = disposedAt === undefined || channels.length === 0 ? [] : [{ session: uri, disposedAt }];
      store.commit({ channels, disposals });
      if (channels.length > 0) saved.set(id, uri);
      continue;
    }
    const rescued = rescueSession(session, channelsOf.get(session.id) ?? [], { damaged, now, losses, tooLarge });
    if (!rescued) continue;
    const puts = [...rescued.channels].flatMap(([uri, [kind, state]]): ChannelPut[] => {
      const json = storedText(uri, state, tooLarge);
      if (json === undefined) return [];
      return [{ uri, kind, session: session.uri, unsettled: isUnsettled(kind, state), snapshot: { seq, json } }];
    });
    store.commit({
      channels: puts,
      summaries: [
        {
          session: session.uri,
          modifiedAt: Date.parse(rescued.summary.modifiedAt),
          json: JSON.stringify(rescued.summary),
        },
      ],
      disposals: session.disposedAt === undefined ? [] : [{ session: session.uri, disposedAt: session.disposedAt }],
    });
    saved.set(session.id, session.uri);
    sessions++;
    chats += puts.filter(({ kind }) => kind === 'chat').length;
  }
  for (const uri of damaged.unreadable) losses.push(`${uri}: lost`);
  if (damaged.missingBytes > 0) losses.push(`the last ${damaged.missingBytes} bytes of the file: lost`);
  const documents = rescueDocuments(damaged, store, saved, losses);
  return { sessions, chats, documents, losses: [...losses, ...tooLarge], tooLarge };
}

/** The text of a state. A chat that is too large for one loses its oldest turns; anything else is lost. */
function storedText(
  uri: URI,
  state: SessionState | ChatState | AnnotationsState,
  tooLarge: string[],
): string | undefined {
  let left: typeof state | undefined = state;
  while (left) {
    try {
      const json = JSON.stringify(left);
      if (left !== state && 'turns' in state && 'turns' in left) {
        tooLarge.push(`${uri}: too large, saved without its oldest ${state.turns.length - left.turns.length} turns`);
      }
      return json;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      left = withoutOldest(left);
    }
  }
  tooLarge.push(`${uri}: lost, it is too large`);
  return undefined;
}

function withoutOldest<S extends SessionState | ChatState | AnnotationsState>(state: S): S | undefined {
  if (!('turns' in state) || state.turns.length === 0) return undefined;
  return { ...state, turns: state.turns.slice(Math.ceil(state.turns.length / 2)) };
}

interface Rescue {
  readonly damaged: DamagedStore;
  readonly now: number;
  readonly losses: string[];
  readonly tooLarge: string[];
}

interface Rescued {
  readonly summary: SessionSummary;
  readonly channels: ReadonlyMap<URI, readonly [ChannelKind, SessionState | ChatState | AnnotationsState]>;
}

function rescueSession(
  session: DamagedSession,
  channels: readonly DamagedChannel[],
  { damaged, now, losses, tooLarge }: Rescue,
): Rescued | undefined {
  const { uri } = session;
  const note = (what: URI, rebuilt: Rebuilt<ChannelKind> | undefined) => {
    if (!rebuilt) losses.push(`${what}: lost`);
    else if (rebuilt.isPartial) losses.push(`${what}: saved, but incomplete`);
  };
  const own = channels.find((channel) => channel.uri === uri);
  const beginning =
    stateFromSummary(session) ?? (hasChatLog(channels, damaged) ? placeholderSession(uri, now) : undefined);
  const root = own ? rebuild('session', own, damaged, beginning) : beginning && { state: beginning, isPartial: true };
  note(uri, root);
  if (!root) return undefined;
  const chats = channels.flatMap((channel) => {
    if (channel.kind !== 'chat') return [];
    const time = Date.parse(root.state.chats.find(({ resource }) => resource === channel.uri)?.modifiedAt ?? '');
    const known = { title: '', origin: { kind: 'user' as const }, now: Number.isFinite(time) ? time : now };
    const beginningOfChat = newChatState({ resource: channel.uri, ...known });
    const rebuilt = unlessTooLarge(() => rebuild('chat', channel, damaged, beginningOfChat));
    if (rebuilt === 'tooLarge') {
      tooLarge.push(`${channel.uri}: lost, it is too large`);
      return [];
    }
    note(channel.uri, rebuilt);
    return rebuilt ? [rebuilt.state] : [];
  });
  for (const { resource } of root.state.chats) {
    if (!channels.some((channel) => channel.uri === resource)) losses.push(`${resource}: lost`);
  }
  const place = annotationsUri(uri);
  const comments = channels.find((channel) => channel.uri === place);
  const annotations = rebuild('annotations', comments ?? NO_CHANNEL, damaged, { annotations: [] });
  note(place, annotations);
  const state = withChats(root.state, chats);
  const said = annotations?.state ?? { annotations: [] };
  return {
    summary: { ...projectSummary(uri, state), annotations: annotationCounts(place, said) },
    channels: new Map<URI, readonly [ChannelKind, SessionState | ChatState | AnnotationsState]>([
      [uri, ['session', state]],
      ...chats.map((chat) => [chat.resource, ['chat', chat]] as const),
      [place, ['annotations', said]],
    ]),
  };
}

/** What is read, unless it does not fit into a string. */
function unlessTooLarge<T>(read: () => T): T | 'tooLarge' {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || (error as { code?: string }).code === 'ERR_STRING_TOO_LONG') return 'tooLarge';
    throw error;
  }
}

const NO_CHANNEL: DamagedChannel = { id: -1, uri: '', kind: 'annotations', session: -1 };

/** A minimal state made from the session's summary, for a session whose own state is lost. */
function stateFromSummary({ uri, summary }: DamagedSession): SessionState | undefined {
  const said = summary === undefined ? undefined : parse(summary);
  if (!isObject(said) || said.resource !== uri) return undefined;
  const { provider, title, status, project, workingDirectories, defaultChat, createdAt } = said;
  const shown = { provider, title, status, project, workingDirectories, defaultChat };
  const state = { ...shown, lifecycle: 'ready', activeClients: [], chats: [], _meta: { [CREATED_AT]: createdAt } };
  return isState('session', state) ? state : undefined;
}

/** Whether any chat of the session has log entries left. */
function hasChatLog(channels: readonly DamagedChannel[], damaged: DamagedStore): boolean {
  return channels.some((channel) => channel.kind === 'chat' && damaged.log(channel).entries.length > 0);
}

/** A placeholder session that makes rescued chats readable. Which agent they were with is not known. */
function placeholderSession(resource: URI, now: number): SessionState {
  const created = newSessionState({
    params: { channel: resource },
    provider: 'unknown',
    now,
    title: 'Recovered session',
  });
  return { ...created, lifecycle: 'ready' };
}

/** The session state with a catalogue of exactly the rescued chats. */
function withChats(state: SessionState, chats: readonly ChatState[]): SessionState {
  const entries = chats.map((chat) => ({
    ...chatSummaryOf(chat),
    ...state.chats.find(({ resource }) => resource === chat.resource),
  }));
  const { defaultChat, ...rest } = state;
  const hasDefault = entries.some(({ resource }) => resource === defaultChat);
  const next = hasDefault ? defaultChat : entries[0]?.resource;
  return { ...rest, chats: entries, ...(next !== undefined && { defaultChat: next }) };
}

function rescueDocuments(
  damaged: DamagedStore,
  store: Store,
  saved: ReadonlyMap<number, URI>,
  losses: string[],
): number {
  let count = 0;
  let lost = damaged.unreadableDocuments;
  for (const { collection, key, session, json } of damaged.documents()) {
    if (parse(json) === undefined) {
      lost++;
      continue;
    }
    const owner = session === undefined ? undefined : saved.get(session);
    if (session !== undefined && owner === undefined) continue; // its session is lost
    store.commit({ documents: [{ collection, key, json, ...(owner !== undefined && { session: owner }) }] });
    count++;
  }
  if (lost > 0) losses.push(`${lost} documents (settings of clients, records of changes): lost`);
  return count;
}

function groupBySession(channels: readonly DamagedChannel[]): Map<number, DamagedChannel[]> {
  const groups = new Map<number, DamagedChannel[]>();
  for (const channel of channels) {
    const group = groups.get(channel.session);
    if (group) group.push(channel);
    else groups.set(channel.session, [channel]);
  }
  return groups;
}
