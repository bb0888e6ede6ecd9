import type { Peer } from '@moorage/protocol';
import type { Clock } from '../clock.js';

/** Something to say to the host. Exactly one of its two members is called, once; none after it was withdrawn. */
export interface Call {
  send(peer: Peer, remainingMs: number | undefined): void;
  fail(why: CallFailure): void;
}

export type CallFailure = 'timeout' | 'overflow' | 'closed';

/** Calls that may wait for a connection: more than people cause in an outage, and an end to a loop that keeps asking. */
export const MAX_WAITING_CALLS = 1024;

/** What is to be said once there is a live connection again: kept in order, and only for so long. */
export class WaitingCalls {
  readonly #clock: Clock;
  readonly #waiting = new Map<Call, Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(call: Call, timeoutMs: number | undefined): void {
    if (this.#waiting.size >= MAX_WAITING_CALLS) call.fail('overflow');
    else if (timeoutMs === undefined) this.#waiting.set(call, { deadline: undefined, timer: undefined });
    else {
      const expire = () => {
        this.#waiting.delete(call);
        call.fail('timeout');
      };
      const timer = this.#clock.setTimeout(expire, timeoutMs);
      this.#waiting.set(call, { deadline: this.#clock.now() + timeoutMs, timer });
    }
  }

  /** Neither of its members is called any more. */
  withdraw(call: Call): void {
    this.#clock.clearTimeout(this.#waiting.get(call)?.timer);
    this.#waiting.delete(call);
  }

  sendAll(peer: Peer): void {
    for (const [call, { deadline }] of this.#take()) {
      call.send(peer, deadline === undefined ? undefined : Math.max(0, deadline - this.#clock.now()));
    }
  }

  failAll(why: CallFailure): void {
    for (const [call] of this.#take()) call.fail(why);
  }

  #take(): [Call, Waiting][] {
    const taken = [...this.#waiting];
    this.#waiting.clear();
    for (const [, { timer }] of taken) this.#clock.clearTimeout(timer);
    return taken;
  }
}

interface Waiting {
  readonly deadline: number | undefined;
  readonly timer: unknown;
}
