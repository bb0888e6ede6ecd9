import type { ActionOf, ActionOrigin, URI } from '@ahpd/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { Door } from '../../core/door.js';
import type { Committed } from '../../core/tick.js';
import { ENDS_TURN, isBusy } from '../../core/unsettled.js';
import type { Clock } from '../../ports/clock.js';
import type { HostContext } from '../context.js';
import { STORE_RETRY_MS } from '../limits.js';

interface Held {
  readonly action: ActionOf<'session'>;
  readonly origin: ActionOrigin;
}

/** Changes of model or agent that came while a turn ran: applied in order once no turn of the session does (OQ-37). */
export class DeferredChanges {
  readonly #door: Door;
  readonly #clock: Clock;
  readonly #held = new Map<URI, Held[]>();

  constructor({ door, clock }: HostContext) {
    this.#door = door;
    this.#clock = clock;
    door.onLost((lost) => this.#holdAgain(lost));
    door.onCommitted((committed) => this.#react(committed));
    door.setHolding((session) => this.#held.get(session)?.length ?? 0);
  }

  hold(session: URI, action: ActionOf<'session'>, origin: ActionOrigin): void {
    const held = this.#held.get(session) ?? [];
    this.#held.set(session, [...held, { action, origin }]);
  }

  has(session: URI): boolean {
    return this.#held.has(session);
  }

  #react({ channel, action }: Committed): void {
    if (!isKind(channel, 'chat') || !ENDS_TURN.has(action.type) || channel.keeping.kind !== 'durable') return;
    const session = this.#door.channels.find('session', channel.keeping.session);
    if (!session) this.#held.delete(channel.keeping.session);
    else if (!isBusy(session.state)) this.#release(session);
  }

  /** What was applied late and could not be stored has nobody who would send it again. */
  #holdAgain(lost: readonly Committed[]): void {
    for (const { channel, action, origin, sender } of lost) {
      if (!isKind(channel, 'session') || !origin || sender) continue;
      this.hold(channel.uri, action as ActionOf<'session'>, origin);
      this.#clock.setTimeout(() => isBusy(channel.state) || this.#release(channel), STORE_RETRY_MS);
    }
  }

  #release(session: Channel<'session'>): void {
    const held = this.#held.get(session.uri) ?? [];
    this.#held.delete(session.uri);
    for (const { action, origin } of held) this.#door.commit(session, action, origin);
  }
}
