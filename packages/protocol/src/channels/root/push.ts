import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** Our extension: what a user wants to be notified of. `done` includes failed. */
export const NotificationTopic = {
  NeedsYou: 'needsYou',
  Done: 'done',
} as const;
export type NotificationTopic = EnumValue<typeof NotificationTopic>;
export const NotificationTopicSchema = enumSchema('NotificationTopic', NotificationTopic);

export const PushSubscriptionSchema = named(
  'PushSubscription',
  Type.Object({
    /** The address that the browser's push service gave it. */
    endpoint: Type.String(),
    keys: Type.Object({ p256dh: Type.String(), auth: Type.String() }),
  }),
);
/** A browser that wants to be notified, as the Push API describes it. */
export type PushSubscription = Static<typeof PushSubscriptionSchema>;

export const GetPushKeyParamsSchema = named('GetPushKeyParams', Type.Object({ channel: Type.Literal('ahp-root://') }));
export type GetPushKeyParams = Static<typeof GetPushKeyParamsSchema>;

export const GetPushKeyResultSchema = named(
  'GetPushKeyResult',
  Type.Object({
    /** The `applicationServerKey` for a subscription, in base64url. */
    publicKey: Type.String(),
  }),
);
export type GetPushKeyResult = Static<typeof GetPushKeyResultSchema>;

export const SubscribePushParamsSchema = named(
  'SubscribePushParams',
  Type.Object({
    channel: Type.Literal('ahp-root://'),
    subscription: PushSubscriptionSchema,
    topics: Type.Array(NotificationTopicSchema),
  }),
);
export type SubscribePushParams = Static<typeof SubscribePushParamsSchema>;

export const UnsubscribePushParamsSchema = named(
  'UnsubscribePushParams',
  Type.Object({ channel: Type.Literal('ahp-root://'), endpoint: Type.String() }),
);
export type UnsubscribePushParams = Static<typeof UnsubscribePushParamsSchema>;
