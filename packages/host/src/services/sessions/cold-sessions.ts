import type { URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { HostContext } from '../context.js';

/** Milliseconds between two sweeps: long enough for a client to survive a page reload. */
const SWEEP_MS = 30_000;

/** Unloads sessions that nobody is subscribed to and in which nothing runs. */
export class ColdSessions {
  readonly #context: HostContext;
  readonly #isBusy: (channel: Channel) => boolean;
  readonly #release: (chat: URI) => Promise<void>;
  readonly #onUnload: (session: URI) => void;
  #timer: unknown;

  /** `onUnload` is called before a session is unloaded, while what it stops can still be committed to the session. */
  constructor(
    context: HostContext,
    isBusy: (channel: Channel) => boolean,
    release: (chat: URI) => Promise<void>,
    onUnload: (session: URI) => void,
  ) {
    this.#context = context;
    this.#isBusy = isBusy;
    this.#release = release;
    this.#onUnload = onUnload;
    this.#schedule();
  }

  /** Unloads all unused sessions now. */
  sweep(): void {
    const { door } = this.#context;
    const unused = [...this.#bySession()].filter(([_session, channels]) => {
      return !channels.some((channel) => door.subscriptions.has(channel.uri) || this.#isBusy(channel));
    });
    for (const [session] of unused) this.#onUnload(session);
    door.unload(unused);
    for (const [_session, channels] of unused) {
      for (const channel of channels) if (channel.kind === 'chat') void this.#release(channel.uri);
    }
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
