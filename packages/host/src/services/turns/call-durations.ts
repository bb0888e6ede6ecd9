import type { ActionOf, Turn } from '@ahpd/protocol';
import type { Clock } from '../../ports/clock.js';
import { findCall } from './event-mapper.js';

/**
 * How long the calls of a turn ran, without the time that they waited for somebody's approval. Of a call that was not seen
 * to begin, such as one that an agent mentions when it is done, nobody knows.
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

  /** What is known goes into the call's `_meta`: the protocol has no field for it. */
  stamped(action: ActionOf<'chat'>, parts: Turn['responseParts']): ActionOf<'chat'> {
    if (action.type !== 'chat/toolCallComplete') return action;
    const durationMs = this.#spent(action.toolCallId);
    this.#calls.delete(action.toolCallId);
    if (durationMs === undefined) return action;
    // It replaces the one that is there.
    return { ...action, _meta: { ...findCall(parts, action.toolCallId)?._meta, ...action._meta, durationMs } };
  }

  #spent(toolCallId: string): number | undefined {
    const call = this.#calls.get(toolCallId);
    if (!call) return undefined;
    // Clocks can be put back.
    return call.spent + (call.since === undefined ? 0 : Math.max(0, this.#clock.now() - call.since));
  }
}
