import { type ActionOf, ExtensionMeta, type Turn } from '@moorage/protocol';
import type { Clock } from '../../ports/clock.js';
import { findCall } from './event-mapper.js';

/**
 * Measures how long tool calls ran, without the time spent waiting for approval. A call whose start was not seen, such
 * as one an agent reports only when done, has no duration.
 */
export class CallDurations {
  readonly #clock: Clock;
  readonly #calls = new Map<string, { spent: number; since?: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  runs(toolCallId: string): void {
    const call = this.#calls.get(toolCallId);
    if (call?.since === undefined) this.#calls.set(toolCallId, { spent: call?.spent ?? 0, since: this.#clock.now() });
  }

  waits(toolCallId: string): void {
    const spent = this.#spent(toolCallId);
    if (spent !== undefined) this.#calls.set(toolCallId, { spent });
  }

  /** Adds the duration to the call's `_meta`; the protocol has no field for it. */
  stamped(action: ActionOf<'chat'>, parts: Turn['responseParts']): ActionOf<'chat'> {
    if (action.type !== 'chat/toolCallComplete') return action;
    const durationMs = this.#spent(action.toolCallId);
    this.#calls.delete(action.toolCallId);
    if (durationMs === undefined) return action;
    // The action's `_meta` replaces the call's, so the call's is merged in.
    return {
      ...action,
      _meta: { ...findCall(parts, action.toolCallId)?._meta, ...action._meta, [ExtensionMeta.durationMs]: durationMs },
    };
  }

  #spent(toolCallId: string): number | undefined {
    const call = this.#calls.get(toolCallId);
    if (!call) return undefined;
    // The clock may have been set back.
    return call.spent + (call.since === undefined ? 0 : Math.max(0, this.#clock.now() - call.since));
  }
}
