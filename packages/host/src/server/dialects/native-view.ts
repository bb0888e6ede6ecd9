import type { ActionEnvelope, SubscribeView, URI } from '@moorage/protocol';
import { actionFrame, encodeEnvelope, type Subscriber } from '../../core/delivery.js';
import type { Door } from '../../core/door.js';
import { ifReadable } from '../if-readable.js';
import { isStateless, type Missed, missedBy } from '../replay.js';
import type { HostDirectory } from './directory.js';
import type { ClientView } from './view.js';

/** The view of a client that speaks the host's own version: nothing is translated. */
export class NativeView implements ClientView {
  readonly #door: Door;
  readonly #directory: HostDirectory;
  readonly #subscriber: Subscriber;

  constructor(door: Door, directory: HostDirectory, subscriber: Subscriber) {
    this.#door = door;
    this.#directory = directory;
    this.#subscriber = subscriber;
  }

  attach(uri: URI, view?: SubscribeView): string | undefined {
    const channel = isStateless(uri)
      ? undefined
      : this.#door.channels.openFor(this.#subscriber.clientId, this.#directory.resolve(uri));
    if (!channel) return undefined;
    this.#door.settle(); // the channel may just have been opened
    const snapshot = this.#door.snapshot(channel, uri, view);
    this.#door.subscriptions.add(this.#subscriber, channel.uri);
    return snapshot;
  }

  detach(uri: URI): void {
    this.#door.subscriptions.remove(this.#subscriber, this.#directory.resolve(uri));
  }

  resume(uris: readonly URI[], lastSeen: number): Missed | undefined {
    const native = uris.map((uri) => ifReadable(() => this.#directory.resolve(uri)) ?? uri);
    const missed = missedBy(this.#door, this.#subscriber.clientId, native, lastSeen);
    for (const uri of missed?.resumed ?? []) this.#door.subscriptions.add(this.#subscriber, uri);
    return missed;
  }

  encode(envelope: ActionEnvelope): string {
    return actionFrame(encodeEnvelope(envelope));
  }
}
