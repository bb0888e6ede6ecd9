import type { NotificationTopic, PushSubscription } from '@moorage/protocol';
import type { CommittingDoor } from '../../core/door-parts.js';
import { invalidParams } from '../../core/errors.js';
import { MAX_SUBSCRIPTIONS } from './limits.js';

export interface KeptSubscription {
  readonly credential: string;
  readonly subscription: PushSubscription;
  readonly topics: readonly NotificationTopic[];
}

/** The browsers that want to be notified, kept over restarts. */
export class PushSubscriptions {
  readonly #door: CommittingDoor;

  constructor(door: CommittingDoor) {
    this.#door = door;
  }

  all(): readonly KeptSubscription[] {
    const json = this.#door.documents.readOften(COLLECTION, KEY);
    return json === undefined ? [] : (JSON.parse(json) as KeptSubscription[]);
  }

  /** Adds a browser, or changes what it wants to hear of. */
  set(kept: KeptSubscription): void {
    const { endpoint } = kept.subscription;
    const others = this.all().filter(({ subscription }) => subscription.endpoint !== endpoint);
    if (others.filter(({ credential }) => credential === kept.credential).length >= MAX_SUBSCRIPTIONS)
      throw invalidParams(
        `params/subscription: expected at most ${MAX_SUBSCRIPTIONS} browsers; turn notifications off in one of them first`,
      );
    this.#put([...others, kept]);
  }

  /** Removes a browser; `credential` may only remove its own. */
  remove(endpoint: string, credential?: string): void {
    const all = this.all();
    const left = all.filter(
      (kept) => kept.subscription.endpoint !== endpoint || (credential ?? kept.credential) !== kept.credential,
    );
    if (left.length < all.length) this.#put(left);
  }

  /** Removes all browsers of somebody who may not hear of anything any more. */
  removeOf(credential: string): void {
    const all = this.all();
    const left = all.filter((kept) => kept.credential !== credential);
    if (left.length < all.length) this.#put(left);
  }

  #put(all: readonly KeptSubscription[]): void {
    this.#door.documents.put({ collection: COLLECTION, key: KEY, json: JSON.stringify(all) });
  }
}

const COLLECTION = 'push';
const KEY = 'subscriptions';
