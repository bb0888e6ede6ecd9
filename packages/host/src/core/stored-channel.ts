import {
  type ActionEnvelope,
  type ActionOf,
  type ChannelKind,
  type ChannelStates,
  isObject,
  reduceAll,
  type URI,
} from '@moorage/protocol';
import { type ChannelInPieces, type StoredChannel, StoreError } from '../ports/store.js';
import type { Channel } from './channel.js';
import { inSlices, type Pause, parseInSlices } from './parse-in-slices.js';
import { prepareTurns } from './snapshot-text.js';

/** Rebuilds a channel from its snapshot and the log after it. Throws a `broken` StoreError when either is damaged. */
export function fromStore(uri: URI, stored: StoredChannel): Channel {
  const { kind, snapshot, tail } = stored;
  try {
    const state = JSON.parse(snapshot.json) as ChannelStates[ChannelKind];
    const envelopes = JSON.parse(`[${tail}]`) as ActionEnvelope[];
    const seq = envelopes.at(-1)?.serverSeq ?? snapshot.seq;
    return channelOf(uri, stored, withActions(kind, state, envelopes), seq, snapshot.json.length);
  } catch (cause) {
    throw damaged(uri, cause);
  }
}

/** The state that a stored channel has after its log, and its last number. Throws as `fromStore` does. */
export function storedState(uri: URI, stored: StoredChannel): Pick<Channel, 'state' | 'seq'> {
  const { state, seq } = fromStore(uri, stored);
  return { state, seq };
}

/** Whether reading the channel at once would keep everybody waiting. */
export function isLong({ snapshot, tail }: ChannelInPieces): boolean {
  return snapshot.bytes + tail.length > LONG_CHARS;
}

/** Units (of UTF-8 or UTF-16) that are read at once: some ten milliseconds. */
const LONG_CHARS = 1024 * 1024;

/** Like `fromStore`, with pauses. Also what a snapshot of it needs is prepared. */
export async function fromStoreInSlices(uri: URI, stored: ChannelInPieces, pause: Pause): Promise<Channel> {
  const { kind, snapshot, tail } = stored;
  let chars = 0;
  function* counted() {
    for (const piece of snapshot.pieces) {
      chars += piece.length;
      yield piece;
    }
  }
  try {
    await pause(); // the tail has just been read
    let state = (await parseInSlices(counted(), pause)) as unknown as ChannelStates[ChannelKind];
    let seq = snapshot.seq;
    await inSlices(tail, pause, (slice) => {
      const envelopes = JSON.parse(`[${slice}]`) as ActionEnvelope[];
      state = withActions(kind, state, envelopes);
      seq = envelopes.at(-1)?.serverSeq ?? seq;
    });
    const channel = channelOf(uri, stored, state, seq, chars);
    await pause();
    if ('turns' in state) await prepareTurns(state.turns, pause);
    return channel;
  } catch (cause) {
    throw damaged(uri, cause);
  }
}

function channelOf(
  uri: URI,
  { kind, session, tail }: Pick<StoredChannel, 'kind' | 'session' | 'tail'>,
  state: Channel['state'],
  seq: number,
  saved: number,
) {
  if (!looksWhole(kind, state)) throw new TypeError('a member that every state has is missing');
  return { uri, kind, state, seq, keeping: { kind: 'durable' as const, session, saved, unsaved: tail.length } };
}

function damaged(uri: URI, cause: unknown): StoreError {
  return new StoreError('broken', `What is stored of ${uri} is damaged. ${HOW_TO_RECOVER}`, { cause });
}

const HOW_TO_RECOVER = 'Stop the host and run `moorage recover`: it saves what can be read and says what cannot.';

/** Applies logged actions. */
export function withActions<K extends ChannelKind>(
  kind: K,
  state: ChannelStates[K],
  envelopes: readonly ActionEnvelope[],
): ChannelStates[K] {
  const actions = envelopes.map((envelope) => envelope.action as ActionOf<K>);
  return reduceAll(kind, state, actions, { now: () => 0 }); // reducers read no clock
}

/**
 * Whether the members that the host relies on are there: bytes damaged on disk can still parse as JSON. The full schema
 * would find more, but compiling it blocks the host for too long; `moorage recover` checks against it.
 */
function looksWhole(kind: ChannelKind, state: unknown): boolean {
  if (!isObject(state)) return false;
  if (kind === 'session') {
    const { chats, lifecycle, activeClients } = state;
    return (
      hasTexts(state, 'provider', 'title', 'lifecycle') &&
      lifecycle !== '' &&
      Array.isArray(activeClients) &&
      hasEach(chats, 'resource', 'modifiedAt')
    );
  }
  if (kind === 'chat') {
    const { turns, activeTurn } = state;
    if (!hasTexts(state, 'resource', 'title', 'modifiedAt') || typeof state.status !== 'number') return false;
    const all: unknown[] = Array.isArray(turns) ? [...turns, ...(activeTurn === undefined ? [] : [activeTurn])] : [0];
    return (
      hasEach(all, 'id') && all.every((turn) => hasEach((turn as { responseParts?: unknown }).responseParts, 'kind'))
    );
  }
  if (kind === 'automation') return hasEach(state.entries, 'resource', 'createdAt');
  if (kind === 'automationRun') return hasTexts(state, 'resource', 'automation') && isObject(state.lifecycle);
  return kind !== 'annotations' || hasEach(state.annotations, 'id');
}

function hasEach(list: unknown, ...names: readonly string[]): boolean {
  return Array.isArray(list) && list.every((item) => isObject(item) && hasTexts(item, ...names));
}

function hasTexts(value: Readonly<Record<string, unknown>>, ...names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string');
}
