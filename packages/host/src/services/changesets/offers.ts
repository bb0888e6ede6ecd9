import type { URI } from '@ahpd/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { HostContext } from '../context.js';

/** Milliseconds after which a folder that could not be looked at is looked at again, and at most after many failures. */
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

/** Says what changesets a session has; false when that could not be found out. `failures`: how often so far. */
type Offer = (session: Channel<'session'>, failures: number) => Promise<boolean>;

/**
 * Sees to it that every session shows its changesets. The first look at a folder may fail, or its host may end before: then
 * it is tried again while somebody watches the session, and whenever somebody comes.
 */
export class Offers {
  readonly #context: HostContext;
  readonly #offer: Offer;
  /** Sessions for which it is being tried, or will be. */
  readonly #wanted = new Set<URI>();

  constructor(context: HostContext, offer: Offer) {
    this.#context = context;
    this.#offer = offer;
    // After whoever subscribes has got its snapshot: what is offered now follows it.
    context.door.subscriptions.onUsed((uri) => context.clock.defer(() => this.#watched(uri)));
  }

  begin(session: Channel<'session'>): void {
    if (this.#wanted.has(session.uri)) return;
    this.#wanted.add(session.uri);
    void this.#try(session, 0);
  }

  #watched(uri: URI): void {
    const { channels, subscriptions } = this.#context.door;
    const session = channels.peek(uri);
    if (!isKind(session, 'session') || !subscriptions.has(uri)) return;
    const { lifecycle, changesets, summary } = session.state;
    if (lifecycle === 'ready' && !changesets && summary.workingDirectory !== undefined) this.begin(session);
  }

  async #try(session: Channel<'session'>, failures: number): Promise<void> {
    const { door, clock } = this.#context;
    const { uri } = session;
    if (await this.#offer(session, failures)) {
      this.#wanted.delete(uri);
      return;
    }
    clock.setTimeout(
      () => {
        if (door.isOpen(session) && door.subscriptions.has(uri)) void this.#try(session, failures + 1);
        else this.#wanted.delete(uri);
      },
      Math.min(RETRY_MS * 2 ** failures, MAX_RETRY_MS),
    );
  }
}
