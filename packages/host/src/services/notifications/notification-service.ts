import type { NotificationTopic, PushSubscription, SubscribePushParams, URI } from '@moorage/protocol';
import type { Committed } from '../../core/committed.js';
import type { Subscriber } from '../../core/delivery.js';
import { invalidParams, notAllowed } from '../../core/errors.js';
import type { PushSender, UserNotification, Webhook } from '../../ports/notifications.js';
import { grantOf, type People, userOf } from '../../ports/people.js';
import type { HostContext } from '../context.js';
import type { SessionService } from '../sessions/session-service.js';
import { isOfHost } from '../turns/turn-ends.js';
import { Deliveries } from './deliveries.js';
import { ANSWERED_AT_ONCE_MS, MAX_ENDPOINT_CHARS } from './limits.js';
import { done, needsOf, needsYou } from './message.js';
import { PushSubscriptions } from './push-subscriptions.js';

export interface NotificationOptions {
  /** Without it browsers cannot subscribe. */
  readonly push?: PushSender;
  readonly webhooks?: readonly Webhook[];
}

/** Notifies users who are not looking of sessions that need them or are done. */
export class NotificationService {
  readonly #context: HostContext;
  readonly #sessions: SessionService;
  readonly #options: NotificationOptions;
  readonly #people: Pick<People, 'grantOf'> | undefined;
  readonly #subscriptions: PushSubscriptions;
  readonly #deliveries: Deliveries;
  /** For each session that waits, the timer until its user is notified. */
  readonly #soon = new Map<URI, unknown>();
  /** For each session, the requests of which its user was notified and that are still open. */
  readonly #notified = new Map<URI, ReadonlySet<string>>();

  constructor(
    context: HostContext,
    sessions: SessionService,
    options: NotificationOptions,
    people: Pick<People, 'grantOf'> | undefined,
  ) {
    this.#people = people;
    this.#context = context;
    this.#sessions = sessions;
    this.#options = options;
    this.#subscriptions = new PushSubscriptions(context.door);
    this.#deliveries = new Deliveries(context);
  }

  async publicKey(): Promise<string> {
    return this.#push().publicKey();
  }

  subscribe({ subscription, topics }: SubscribePushParams, { credential }: Subscriber): void {
    if (userOf(credential) !== undefined) throw notAllowed(ONLY_OWN_PEOPLE);
    const { endpoint, keys } = subscription;
    const problem =
      endpoint.length > MAX_ENDPOINT_CHARS
        ? `an endpoint of at most ${MAX_ENDPOINT_CHARS} characters`
        : this.#push().problemWith(subscription);
    if (problem !== undefined) throw invalidParams(`params/subscription: expected ${problem}`);
    if (topics.length === 0) throw invalidParams('params/topics: expected at least one');
    const kept: PushSubscription = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
    this.#subscriptions.set({ credential, subscription: kept, topics: [...new Set(topics)] });
  }

  unsubscribe(endpoint: string, { credential }: Subscriber): void {
    this.#subscriptions.remove(endpoint, credential);
  }

  /** Somebody may not hear of anything any more. */
  ended(credential: string): void {
    this.#subscriptions.removeOf(credential);
  }

  onSession({ channel, action }: Committed<'session'>): void {
    if (action.type === 'session/inputNeededSet') this.#notifySoon(channel.uri);
    if (action.type === 'session/inputNeededRemoved') this.#forget(channel.uri);
  }

  onChat({ channel, after, before }: Committed<'chat'>): void {
    const isOfAgent = after.origin?.kind === 'tool' || (before.activeTurn && isOfHost(before.activeTurn));
    const goesOn = after.turns.at(-1)?.state === 'complete' && (after.queuedMessages?.length ?? 0) > 0;
    if (isOfAgent || goesOn || !this.#wants('done')) return;
    const session = this.#sessions.sessionOf(channel);
    const notification = done(session.uri, session.state, after);
    if (notification) this.#send(notification);
  }

  stop(): void {
    for (const timer of this.#soon.values()) this.#context.clock.clearTimeout(timer);
    this.#soon.clear();
    this.#deliveries.stop();
  }

  #push(): PushSender {
    if (this.#options.push) return this.#options.push;
    throw invalidParams('this host sends no push messages');
  }

  #notifySoon(session: URI): void {
    if (this.#soon.has(session) || !this.#wants('needsYou')) return;
    const notify = () => {
      this.#soon.delete(session);
      this.#notifyOfNeeds(session);
    };
    this.#soon.set(session, this.#context.clock.setTimeout(notify, ANSWERED_AT_ONCE_MS));
  }

  #notifyOfNeeds(uri: URI): void {
    const state = this.#context.door.channels.find('session', uri)?.state;
    if (!state) return;
    const needs = needsOf(state);
    const known = this.#notified.get(uri);
    const unknown = needs.filter(({ id }) => !known?.has(id));
    this.#notified.set(uri, new Set(needs.map(({ id }) => id)));
    const notification = needsYou(uri, state, unknown);
    if (notification) this.#send(notification);
  }

  #forget(uri: URI): void {
    const known = this.#notified.get(uri);
    const open = this.#context.door.channels.find('session', uri)?.state.inputNeeded ?? [];
    const left = open.flatMap(({ id }) => (known?.has(id) ? [id] : []));
    if (left.length > 0) this.#notified.set(uri, new Set(left));
    else this.#notified.delete(uri);
  }

  #wants(topic: NotificationTopic): boolean {
    const { push, webhooks = [] } = this.#options;
    const targets = [...webhooks, ...(push ? this.#subscribers() : [])];
    return targets.some(({ topics }) => topics.includes(topic));
  }

  /** Also who was revoked, or whose time was over, while the host was down, hears nothing. */
  #subscribers() {
    return this.#subscriptions.all().filter((kept) => grantOf(kept, this.#people) !== undefined);
  }

  #send(notification: UserNotification): void {
    const { push, webhooks = [] } = this.#options;
    for (const webhook of webhooks) {
      if (!webhook.topics.includes(notification.topic)) continue;
      this.#deliveries.begin({
        to: webhook.name,
        send: (signal) => webhook.send(notification, signal),
        gone: () => {},
      });
    }
    if (!push) return;
    for (const { subscription, topics } of this.#subscribers()) {
      if (!topics.includes(notification.topic)) continue;
      const to = new URL(subscription.endpoint).origin; // the path is a secret
      const gone = () => {
        this.#context.log.write('info', 'notification.expired', 'a browser no longer takes notifications', { to });
        this.#subscriptions.remove(subscription.endpoint);
      };
      this.#deliveries.begin({ to, send: (signal) => push.send(subscription, notification, signal), gone });
    }
  }
}

/** The host is not told whom the fleet revokes while they are not connected. */
const ONLY_OWN_PEOPLE = 'push messages are for people of the host itself, not for those who come through a gateway';
