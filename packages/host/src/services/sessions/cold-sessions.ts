import type { URI } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { HostContext } from '../context.js';

/** Milliseconds between looks for sessions that nobody uses: long enough to survive a page reload. */
const SWEEP_MS = 30_000;

/** Takes sessions out of memory that nobody watches and that do nothing. */
export class ColdSessions {
  readonly #context: HostContext;
  readonly #isBusy: (channel: Channel) => boolean;
  readonly #release: (chat: URI) => Promise<void>;
  readonly #leaving: (session: URI) => void;
  #timer: unknown;

  /** `leaving` is called before a session goes: what runs for it ends, and the session says so. */
  constructor(
    context: HostContext,
    isBusy: (channel: Channel) => boolean,
    release: (chat: URI) => Promise<void>,
    leaving: (session: URI) => void,
  ) {
    this.#context = context;
    this.#isBusy = isBusy;
    this.#release = release;
    this.#leaving = leaving;
    this.#schedule();
  }

  /** Unloads what is unused now. */
  sweep(): void {
    const { door } = this.#context;
    for (const [session, channels] of this.#bySession()) {
      if (channels.some((channel) => door.subscriptions.has(channel.uri) || this.#isBusy(channel))) continue;
      this.#leaving(session);
      door.unload(session, channels);
      for (const channel of channels) if (channel.kind === 'chat') void this.#release(channel.uri);
    }
    door.settle(); // before anybody loads one again, from a store that lacks what was said last
  }

  stop(): void {
    this.#context.clock.clearTimeout(this.#timer);
  }

  #bySession(): Map<URI, Channel[]> {
    const sessions = new Map<URI, Channel[]>();
    for (const channel of this.#context.door.channels.values()) {
      if (channel.keeping.kind !== 'durable') continue;
      const { session } = channel.keeping;
      sessions.set(session, [...(sessions.get(session) ?? []), channel]);
    }
    return sessions;
  }

  #schedule(): void {
    this.#timer = this.#context.clock.setTimeout(() => {
      this.sweep();
      this.#schedule();
    }, SWEEP_MS);
  }
}
