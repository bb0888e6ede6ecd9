import { type EnumValue, enumSchema, object } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** Our extension: what a user wants to be notified of. `done` includes failed. */
export const NotificationTopic = {
  NeedsYou: 'needsYou',
  Done: 'done',
} as const;
export type NotificationTopic = EnumValue<typeof NotificationTopic>;
export const NotificationTopicSchema = enumSchema('NotificationTopic', NotificationTopic);

/** A browser that wants to be notified, as the Push API describes it. */
export interface PushSubscription {
  /** The address that the browser's push service gave it. */
  endpoint: string;
  /** What messages are encrypted with. */
  keys: { p256dh: string; auth: string };
}

export const PushSubscriptionSchema = object<PushSubscription>('PushSubscription', {
  endpoint: Type.String(),
  keys: Type.Object({ p256dh: Type.String(), auth: Type.String() }),
});

export interface GetPushKeyParams {
  channel: 'ahp-root://';
}

export const GetPushKeyParamsSchema = object<GetPushKeyParams>('GetPushKeyParams', {
  channel: Type.Literal('ahp-root://'),
});

export interface GetPushKeyResult {
  /** The `applicationServerKey` for a subscription, in base64url. */
  publicKey: string;
}

export const GetPushKeyResultSchema = object<GetPushKeyResult>('GetPushKeyResult', {
  publicKey: Type.String(),
});

export interface SubscribePushParams {
  channel: 'ahp-root://';
  /** The browser, as it describes itself. */
  subscription: PushSubscription;
  /** What it is told of. */
  topics: NotificationTopic[];
}

export const SubscribePushParamsSchema = object<SubscribePushParams>('SubscribePushParams', {
  channel: Type.Literal('ahp-root://'),
  subscription: PushSubscriptionSchema,
  topics: Type.Array(NotificationTopicSchema),
});

export interface UnsubscribePushParams {
  channel: 'ahp-root://';
  /** The browser, by the address of its push service. */
  endpoint: string;
}

export const UnsubscribePushParamsSchema = object<UnsubscribePushParams>('UnsubscribePushParams', {
  channel: Type.Literal('ahp-root://'),
  endpoint: Type.String(),
});
