import type { Mirror } from '@moorage/client';
import { activityOf, type ChatState, type ResponsePart, SessionStatus } from '@moorage/protocol';
import { useEffect } from 'react';
import { useClient } from '../connection/context.js';

/** Parts whose times are kept, so that a tab that is open for weeks does not grow. Older ones are shown without a time. */
const MAX_PARTS = 2_000;

interface Span {
  readonly since: number;
  readonly ms?: number;
}

/** By chat and part. Outlives the view of a chat, so that times are still known when the user comes back to it. */
const spans = new Map<string, Span>();

/** When a part began, if this page saw it begin. */
export function seenSince(chat: string, part: string): number | undefined {
  return spans.get(keyOf(chat, part))?.since;
}

/** How long a part took, if this page saw all of it. */
export function seenDuration(chat: string, part: string): number | undefined {
  return spans.get(keyOf(chat, part))?.ms;
}

/**
 * Measures reasoning and tool calls while the page watches them, because the protocol does not say when a part began or
 * ended. Parts that began earlier, or ran while the connection was lost, are not measured.
 */
export function useSeenTimes(mirror: Mirror<'chat'> | undefined): void {
  const client = useClient();
  useEffect(() => {
    if (!mirror) return;
    let running = new Set(runningParts(mirror.optimistic));
    const update = () => {
      const now = new Set(runningParts(mirror.optimistic));
      for (const part of now) if (!running.has(part)) begin(keyOf(mirror.uri, part));
      for (const part of running) if (!now.has(part)) end(keyOf(mirror.uri, part));
      running = now;
    };
    const forget = () => {
      for (const part of running) spans.delete(keyOf(mirror.uri, part));
    };
    const stops = [mirror.subscribe(update), client.onStatus((status) => status !== 'live' && forget())];
    return () => {
      forget();
      for (const stop of stops) stop();
    };
  }, [client, mirror]);
}

function runningParts({ activeTurn, status }: ChatState): string[] {
  const parts = activeTurn?.responseParts ?? [];
  const thinks = activityOf(status) !== SessionStatus.InputNeeded;
  return parts.flatMap((part, index) => idOf(part, thinks && index === parts.length - 1) ?? []);
}

/** Reasoning lasts until another part follows it. */
function idOf(part: ResponsePart, thinks: boolean): string | undefined {
  if (part.kind === 'reasoning') return thinks ? part.id : undefined;
  return part.kind === 'toolCall' && part.toolCall.status === 'running' ? part.toolCall.toolCallId : undefined;
}

function begin(key: string): void {
  const before = spans.get(key)?.ms ?? 0; // it continued after a question
  spans.delete(key);
  spans.set(key, { since: Date.now() - before });
  for (const oldest of spans.keys()) {
    if (spans.size <= MAX_PARTS) break;
    spans.delete(oldest);
  }
}

function end(key: string): void {
  const span = spans.get(key);
  if (span) spans.set(key, { ...span, ms: Math.max(0, Date.now() - span.since) });
}

function keyOf(chat: string, part: string): string {
  return `${chat} ${part}`;
}
