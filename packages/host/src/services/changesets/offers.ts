import { primaryDirectory, type URI } from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { HostContext } from '../context.js';

/** Milliseconds before a folder that could not be read is tried again: doubled with each failure, up to the maximum. */
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

/** Publishes the changesets of a session; false if that failed. `failures` is how often it has failed before. */
type Offer = (session: Channel<'session'>, failures: number) => Promise<boolean>;

/**
 * Makes sure that every session offers its changesets. If the folder cannot be read, or the host stops first, it tries
 * again while the session has subscribers, and whenever it gets its first one.
 */
export class Offers {
  readonly #context: HostContext;
  readonly #offer: Offer;
  /** Sessions with an attempt that runs or is scheduled. */
  readonly #pending = new Set<URI>();

  constructor(context: HostContext, offer: Offer) {
    this.#context = context;
    this.#offer = offer;
  }

  /** Deferred, so that the new subscriber gets its snapshot first and the offer as an action after it. */
  onUsed(uri: URI): void {
    this.#context.clock.defer(() => this.#offerIfMissing(uri));
  }

  begin(session: Channel<'session'>): void {
    if (this.#pending.has(session.uri)) return;
    this.#pending.add(session.uri);
    void this.#try(session, 0);
  }

  #offerIfMissing(uri: URI): void {
    const { channels, subscriptions } = this.#context.door;
    const session = channels.peek(uri);
    if (!isKind(session, 'session') || !subscriptions.has(uri)) return;
    const { lifecycle, changesets } = session.state;
    if (lifecycle === 'ready' && !changesets && primaryDirectory(session.state) !== undefined) this.begin(session);
  }

  async #try(session: Channel<'session'>, failures: number): Promise<void> {
    const { door, clock } = this.#context;
    const { uri } = session;
    if (await this.#offer(session, failures)) {
      this.#pending.delete(uri);
      return;
    }
    clock.setTimeout(
      () => {
        if (door.isOpen(session) && door.subscriptions.has(uri)) void this.#try(session, failures + 1);
        else this.#pending.delete(uri);
      },
      Math.min(RETRY_MS * 2 ** failures, MAX_RETRY_MS),
    );
  }
}
