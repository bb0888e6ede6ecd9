import { hasOnlyKeys } from '../../common/known-keys.js';
import { CHAT_KEYS, TEXT_PART_KEYS, TURN_KEYS } from './copy.js';
import type { ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';

/**
 * What the last append to a chat found out. A streaming chat gets append after append, each on the result of the last, and
 * then nothing need be searched or inspected again. Forgetting a stream costs only time.
 */
export interface TextStream {
  /** The state for which the rest holds. */
  state: ChatState;
  /** Whether the chat and its active turn have only members that we know. */
  readonly plain: boolean;
  /** The part of the answer that it is appended to. */
  partId: string | undefined;
  index: number;
  plainPart: boolean | undefined;
  positions: Map<string, number> | undefined;
}

/** Bounds the memory held by chats that ended long ago; a host rarely has more chats streaming in the same tick. */
const MOST_STREAMS = 8;

const streams: TextStream[] = [];
let oldest = -1;

export function streamOf(state: ChatState): TextStream {
  for (const stream of streams) if (stream.state === state) return stream;
  return startStream(state);
}

/** The index of the first part with an id, or -1. */
export function findPart(stream: TextStream, parts: readonly ResponsePart[], id: string): number {
  if (stream.partId === id) return stream.index;
  // Parts never change places, so an index pays off from the second part on.
  if (stream.partId !== undefined) stream.positions ??= positionsOf(parts);
  stream.index = stream.positions ? (stream.positions.get(id) ?? -1) : searchPart(parts, id);
  stream.partId = id;
  stream.plainPart = undefined;
  return stream.index;
}

/** Whether the part that was found last has no members that we do not know. */
export function isPlainPart(stream: TextStream, part: ResponsePart): boolean {
  stream.plainPart ??= hasOnlyKeys(part, TEXT_PART_KEYS);
  return stream.plainPart;
}

function startStream(state: ChatState): TextStream {
  const turn = state.activeTurn ?? {};
  const plain = hasOnlyKeys(turn, TURN_KEYS) && hasOnlyKeys(state, CHAT_KEYS);
  const stream = { state, plain, partId: undefined, index: -1, plainPart: undefined, positions: undefined };
  streams[slotFor(state)] = stream;
  return stream;
}

/** One slot for each chat: what was known about an earlier state of it is no longer any use. */
function slotFor({ resource }: ChatState): number {
  const slot = streams.findIndex((stream) => stream.state.resource === resource);
  if (slot >= 0) return slot;
  oldest = (oldest + 1) % MOST_STREAMS;
  return oldest;
}

function searchPart(parts: readonly ResponsePart[], id: string): number {
  return parts.findIndex((part) => partId(part) === id);
}

function positionsOf(parts: readonly ResponsePart[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (let index = parts.length - 1; index >= 0; index--) {
    const id = partId(parts[index]);
    if (id !== undefined) positions.set(id, index); // from the end, so that the first of two equal ids wins
  }
  return positions;
}

/** A part's id; tool calls are identified by the call, and some parts have none. */
function partId(part: ResponsePart | undefined): string | undefined {
  if (part?.kind === 'toolCall') return part.toolCall?.toolCallId;
  return part && 'id' in part ? part.id : undefined;
}
