import type { ActionEnvelope, URI } from '@ahpd/protocol';
import type { Change } from '@ahpd/protocol/versions';
import type { Delivery } from '../../core/subscriber.js';
import type { Missed } from '../replay.js';

/** How one client sees the host: what it subscribes to, and the form in which it is told. */
export interface ClientView {
  /** Subscribes to what a URI names and gives its snapshot as JSON text; undefined when there is no such thing. */
  attach(uri: URI): string | undefined;
  detach(uri: URI): void;
  /** What happened on these since a serverSeq, and subscribes to them again; undefined when only snapshots can tell. */
  resume(uris: readonly URI[], lastSeen: number): Missed | undefined;
  /** A tick's messages in the client's form; undefined when none of them concerns it. */
  translate(delivery: Delivery): Delivery | undefined;
  /** The frame of an envelope that was made of several while the client could not keep up. */
  encode(envelope: ActionEnvelope, change: Change | undefined): string;
}
