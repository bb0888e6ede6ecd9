import type { ActionOf, ActionOrigin, URI } from '@moorage/protocol';
import { type Committed, isOn } from '../../core/committed.js';
import type { Door } from '../../core/door.js';
import type { Clock } from '../../ports/clock.js';
import type { HostContext } from '../context.js';
import { STORE_RETRY_MS } from '../limits.js';

interface Held {
  readonly action: ActionOf<'session'>;
  readonly origin: ActionOrigin;
}

/**
 * Changes of model or agent that arrived while a turn ran. They are applied in order once no turn of the session runs
 * (OQ-37).
 */
export class DeferredChanges {
  readonly #door: Door;
  readonly #clock: Clock;
  readonly #held = new Map<URI, Held[]>();

  constructor({ door, clock }: HostContext) {
    this.#door = door;
    this.#clock = clock;
    door.onLost((lost) => this.#lost(lost));
    door.onCommitted('chat', ({ channel: { keeping } }) => {
      if (keeping.kind === 'durable') this.#releaseIfIdle(keeping.session);
    });
    door.setDeferredCount((session) => this.#held.get(session)?.length ?? 0);
  }

  hold(session: URI, action: ActionOf<'session'>, origin: ActionOrigin): void {
    const held = this.#held.get(session) ?? [];
    this.#held.set(session, [...held, { action, origin }]);
  }

  has(session: URI): boolean {
    return this.#held.has(session);
  }

  /**
   * A deferred change that could not be stored is deferred again, because its client will not resend it. The rest is
   * retried too: the turn it waits for may be what was lost.
   */
  #lost(lost: readonly Committed[]): void {
    const sessions = new Set<URI>();
    for (const committed of lost) {
      const { channel, origin, sender } = committed;
      if (channel.keeping.kind !== 'durable') continue;
      sessions.add(channel.keeping.session);
      if (isOn(committed, 'session') && origin && !sender) this.hold(channel.uri, committed.action, origin);
    }
    for (const session of sessions) {
      if (this.has(session)) this.#clock.setTimeout(() => this.#releaseIfIdle(session), STORE_RETRY_MS);
    }
  }

  #releaseIfIdle(uri: URI): void {
    if (!this.has(uri)) return;
    const { channels } = this.#door;
    const session = channels.find('session', uri);
    if (session && channels.isBusy(session.state)) return;
    const held = this.#held.get(uri) ?? [];
    this.#held.delete(uri);
    if (session) for (const { action, origin } of held) this.#door.commit(session, action, origin);
  }
}
