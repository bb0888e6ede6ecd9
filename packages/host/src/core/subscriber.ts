import type { ActionEnvelope, URI } from '@moorage/protocol';
import type { Change } from '@moorage/protocol/versions';
import { FrameBatch } from '../ports/transport.js';

/** A receiver of what happens on the channels it subscribed to; in practice a client's connection. */
export interface Subscriber {
  readonly clientId: string;
  /** The name of its program, if the client stated one. */
  readonly program?: string | undefined;
  /** Whether it is a program of this project. Others may send settings of their own, which mean nothing here (V-3). */
  readonly isOurs: boolean;
  /** Whether it is a window of VS Code. */
  readonly isVscode: boolean;
  /** The user's language as a BCP 47 tag, if the client stated one. */
  readonly locale?: string | undefined;
  readonly channels: Set<URI>;
  /** True while messages queue up because it does not read them fast enough; producers of much output may pause. */
  readonly isBehind: boolean;
  /** Receives its messages of one tick, in order. The same object is given to many subscribers. Must not throw. */
  deliver(delivery: Delivery): void;
  /**
   * Resolves once it is no longer behind, at once if it is not. Await it before sending what can wait, such as large
   * answers. Stays pending when the connection closes first.
   */
  drained(): Promise<void>;
}

/** What one tick sends to a group of subscribers. The frames are turned into bytes once for all of them. */
export class Delivery {
  readonly messages: readonly OutgoingMessage[];
  #batch: FrameBatch | undefined;

  constructor(messages: readonly OutgoingMessage[]) {
    this.messages = messages;
  }

  get batch(): FrameBatch {
    this.#batch ??= new FrameBatch(this.messages.map((message) => message.frame));
    return this.#batch;
  }
}

export interface OutgoingMessage {
  /** The JSON-RPC message as text, encoded once for all receivers. */
  readonly frame: string;
  /** Set for actions: lets appends be merged for a subscriber that cannot keep up. */
  readonly envelope?: ActionEnvelope;
  /** Set for actions that were applied: what changed, for translation to another protocol version. */
  readonly change?: Change;
  /** Set for other notifications of the host, for translation. A message with neither this nor an envelope is sent as is. */
  readonly notice?: { readonly method: string; readonly params: { readonly [name: string]: unknown } };
}
