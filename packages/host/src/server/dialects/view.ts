import type { ActionEnvelope, SubscribeView, URI } from '@moorage/protocol';
import type { Change } from '@moorage/protocol/versions';
import type { Delivery } from '../../core/delivery.js';
import type { Missed } from '../replay.js';

/** How one client sees the host: what its URIs stand for, and the form in which messages are sent to it. */
export interface ClientView {
  /** Subscribes to a URI and returns its snapshot as JSON text; undefined when there is no such channel. */
  attach(uri: URI, view?: SubscribeView): string | undefined;
  detach(uri: URI): void;
  /**
   * Subscribes again and returns what happened since a serverSeq. Undefined, with nothing subscribed, when a replay is not
   * possible and the client needs snapshots.
   */
  resume(uris: readonly URI[], lastSeen: number): Missed | undefined;
  /** A tick's messages in the client's version; undefined when there is nothing to send. Absent where nothing is translated. */
  translate?(delivery: Delivery): Delivery | undefined;
  /** The frame of an envelope that was queued, and perhaps merged, while the client could not keep up. */
  encode(envelope: ActionEnvelope, change: Change | undefined): string;
}
