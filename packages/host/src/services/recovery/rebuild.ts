import {
  type ActionEnvelope,
  type ChannelKind,
  type ChannelStates,
  channelRegistry,
  isObject,
  lenient,
} from '@moorage/protocol';
import { withActions } from '../../core/stored-channel.js';
import type { DamagedChannel, DamagedStore } from '../../ports/damaged-store.js';

export interface Rebuilt<K extends ChannelKind> {
  readonly state: ChannelStates[K];
  /** Whether part of the channel's history is missing. */
  readonly isPartial: boolean;
}

/**
 * Rebuilds a channel's state from its snapshot and every intact log entry after that. If the snapshot is lost,
 * `beginning` takes its place and all that is left of the log is applied.
 */
export function rebuild<K extends ChannelKind>(
  kind: K,
  channel: DamagedChannel,
  damaged: DamagedStore,
  beginning?: ChannelStates[K],
): Rebuilt<K> | undefined {
  const snapshot = damaged.snapshot(channel);
  const stored = snapshot && readState(kind, snapshot.json);
  const from = stored ?? beginning;
  if (!from) return undefined;
  const { entries, hasGaps } = damaged.log(channel);
  let state = from;
  let isPartial = hasGaps || !stored;
  for (const { lastSeq, envelopes } of entries) {
    if (stored && snapshot && lastSeq <= snapshot.seq) continue;
    const next = apply(kind, state, readEnvelopes(envelopes, stored ? (snapshot?.seq ?? 0) : 0));
    if (next) state = next;
    else isPartial = true;
  }
  return { state, isPartial };
}

function readState<K extends ChannelKind>(kind: K, json: string): ChannelStates[K] | undefined {
  const value = parse(json);
  return isState(kind, value) ? value : undefined;
}

export function isState<K extends ChannelKind>(kind: K, value: unknown): value is ChannelStates[K] {
  return lenient(channelRegistry[kind].state).check(value);
}

export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function readEnvelopes(envelopes: string, after: number): ActionEnvelope[] | undefined {
  const list = parse(`[${envelopes}]`);
  if (!Array.isArray(list) || !list.every((it) => isObject(it) && isObject(it.action))) return undefined;
  return (list as ActionEnvelope[]).filter(({ serverSeq }) => serverSeq > after);
}

/** Undefined when the result is not a valid state: then the entry is damaged, even if it parses. */
function apply<K extends ChannelKind>(
  kind: K,
  state: ChannelStates[K],
  envelopes: readonly ActionEnvelope[] | undefined,
): ChannelStates[K] | undefined {
  if (!envelopes) return undefined;
  try {
    const next = withActions(kind, state, envelopes);
    return isState(kind, next) ? next : undefined;
  } catch {
    return undefined;
  }
}
