import {
  type ActionOf,
  type ChannelKind,
  type ChannelStates,
  isObject,
  type JsonObject,
  reduceAll,
} from '@moorage/protocol';
import type { Lift, LiftedChannel } from './lift.js';
import type { LiftedDocument } from './lift-documents.js';

/** The state in a snapshot. Throws for a damaged text. */
export function liftSnapshot(lift: Lift, json: string, channel: LiftedChannel): JsonObject {
  return lift.state(objectIn(json), channel);
}

export interface LiftedEntry {
  /** The envelopes as they would be logged today. */
  readonly envelopes: string;
  /** The channel after them; undefined if it was not known before them. */
  readonly state: JsonObject | undefined;
}

/** The envelopes of a log entry after a serverSeq. Throws for a damaged text. */
export function liftEntry(
  lift: Lift,
  envelopes: string,
  channel: LiftedChannel,
  { state: before, after = 0 }: { readonly state: JsonObject | undefined; readonly after?: number },
): LiftedEntry {
  const list: unknown[] = JSON.parse(`[${envelopes}]`);
  const lifted: string[] = [];
  let state = before;
  for (const item of list) {
    if (!isObject(item) || !isObject(item.action)) throw new TypeError('a log holds envelopes');
    const { action: old, previousClient, ...envelope } = item;
    if (Number(envelope.serverSeq) <= after) continue;
    const actions = lift.actions({ action: old as JsonObject, previousClient }, channel, state);
    for (const action of actions) lifted.push(JSON.stringify({ ...envelope, action }));
    if (state) state = withActions(channel.kind, state, actions);
  }
  return { envelopes: lifted.join(','), state };
}

function withActions(kind: ChannelKind, state: JsonObject, actions: readonly JsonObject[]): JsonObject {
  const known = state as unknown as ChannelStates[ChannelKind];
  const env = { now: () => 0 }; // reducers read no clock
  const next = reduceAll(kind, known, actions as unknown as ActionOf<ChannelKind>[], env);
  return withoutGuessedTimes(next as unknown as JsonObject);
}

/** A turn that has just ended had its times from nowhere: the log has none. */
function withoutGuessedTimes(state: JsonObject): JsonObject {
  const { turns } = state;
  const last: unknown = Array.isArray(turns) ? turns.at(-1) : undefined;
  if (!Array.isArray(turns) || !isObject(last) || last.startedAt === undefined) return state;
  const { startedAt: _startedAt, duration: _duration, ...turn } = last;
  return { ...state, turns: turns.with(-1, turn) };
}

/** The summary in a list. Throws for a damaged text. */
export function liftSummary(lift: Lift, json: string, state: JsonObject | undefined): string {
  return JSON.stringify(lift.summary(objectIn(json), state));
}

/** A document; undefined if it is the same in both forms. Throws for a damaged text. */
export function liftDocument(
  lift: Lift,
  collection: string,
  { key, json }: { readonly key: string; readonly json: string },
): { readonly key: string; readonly json: string } | undefined {
  const change = Object.hasOwn(lift.documents, collection) ? lift.documents[collection] : undefined;
  if (!change) return undefined;
  const { key: newKey, value }: LiftedDocument = change({ key, value: JSON.parse(json) });
  return { key: newKey, json: JSON.stringify(value) };
}

export function objectIn(json: string): JsonObject {
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) throw new TypeError('expected an object');
  return value;
}
