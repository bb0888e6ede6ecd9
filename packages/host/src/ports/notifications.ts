import type { NotificationTopic, PushSubscription, URI } from '@moorage/protocol';

/** A message for a user who is not looking: which session needs what, or what became of it. */
export interface UserNotification {
  /** What it is about: somebody is needed, or something is done. */
  readonly topic: NotificationTopic;
  /** The title of the session. */
  readonly title: string;
  /** What it wants, or how it ended. */
  readonly body: string;
  /** The session to open. */
  readonly session: URI;
  /** The chat to open. */
  readonly chat: URI;
}

/** What became of a message. `gone`: nobody will receive anything there again. `reason` never has the address. */
export type NotificationOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string; readonly mayRetry: boolean };

/** Sends messages to browsers through their push services. Neither method rejects because of what a push service does. */
export interface PushSender {
  /** The public key with which browsers subscribe. The same for the life of the data folder. */
  publicKey(): Promise<string>;
  /** What was expected instead of this subscription; undefined if it can be used. Subscriptions come from clients. */
  problemWith(subscription: PushSubscription): string | undefined;
  /** Delivers once; the host tries again. The signal ends an attempt that takes too long. */
  send(
    subscription: PushSubscription,
    notification: UserNotification,
    signal: AbortSignal,
  ): Promise<NotificationOutcome>;
}

/** An address that the user configured to be notified. */
export interface Webhook {
  /** For the log: no path, because that may be a secret. */
  readonly name: string;
  /** What it is told of. */
  readonly topics: readonly NotificationTopic[];
  /** Delivers once; the host tries again. The signal ends an attempt that takes too long. */
  send(notification: UserNotification, signal: AbortSignal): Promise<NotificationOutcome>;
}
