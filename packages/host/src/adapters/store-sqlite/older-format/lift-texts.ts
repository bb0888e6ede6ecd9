import {
  type ActionOf,
  type ChannelKind,
  type ChannelStates,
  isObject,
  type JsonObject,
  reduceAll,
} from '@moorage/protocol';
import type { Lift, LiftedChannel } from './lift.js';

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
  for (const envelope of list) {
    if (!isObject(envelope) || !isObject(envelope.action)) throw new TypeError('a log holds envelopes');
    if (Number(envelope.serverSeq) <= after) continue;
    const actions = lift.actions(envelope.action, channel, state);
    for (const action of actions) lifted.push(JSON.stringify({ ...envelope, action }));
    if (state) state = withActions(channel.kind, state, actions);
  }
  return { envelopes: lifted.join(','), state };
}

function withActions(kind: ChannelKind, state: JsonObject, actions: readonly JsonObject[]): JsonObject {
  const known = state as unknown as ChannelStates[ChannelKind];
  const now = () => knownTime(state);
  return reduceAll(kind, known, actions as unknown as ActionOf<ChannelKind>[], { now }) as unknown as JsonObject;
}

/** The log does not record times, so actions get the newest time that the state knows. */
function knownTime({ summary, modifiedAt }: JsonObject): number {
  if (isObject(summary)) return Number(summary.modifiedAt);
  return typeof modifiedAt === 'string' ? Date.parse(modifiedAt) : 0;
}

export function liftSummary(lift: Lift, json: string, session: string, state: JsonObject | undefined): string {
  return JSON.stringify(lift.summary(objectIn(json), session, state));
}

function objectIn(json: string): JsonObject {
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) throw new TypeError('expected an object');
  return value;
}
