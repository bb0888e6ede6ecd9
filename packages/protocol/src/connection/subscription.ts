import type { Static } from 'typebox';
import { BaseParamsSchema } from '../common/base-params.js';
import { named, optional } from '../common/schema.js';
import { Type } from '../common/type.js';
import { URISchema } from '../common/uri.js';
import { SnapshotSchema } from './snapshot.js';

export const SubscriptionDeliveryOptionsSchema = named(
  'SubscriptionDeliveryOptions',
  Type.Object({
    /** How long actions may be held back to be sent together; 0 means not at all. */
    maxLatencyMs: optional(Type.Integer()),
  }),
);
export type SubscriptionDeliveryOptions = Static<typeof SubscriptionDeliveryOptionsSchema>;

export const SubscribeViewSchema = named(
  'SubscribeView',
  Type.Object({
    /** How many of the latest turns of a chat are wanted at first; without it, all of them. */
    turns: optional(Type.Integer()),
  }),
);
export type SubscribeView = Static<typeof SubscribeViewSchema>;

export const SubscribeParamsSchema = named(
  'SubscribeParams',
  Type.Object({
    ...BaseParamsSchema.properties,
    delivery: optional(SubscriptionDeliveryOptionsSchema),
    view: optional(SubscribeViewSchema),
  }),
);
export type SubscribeParams = Static<typeof SubscribeParamsSchema>;

export const SubscribeResultSchema = named(
  'SubscribeResult',
  Type.Object({
    snapshot: optional(SnapshotSchema),
  }),
);
export type SubscribeResult = Static<typeof SubscribeResultSchema>;

export const UnsubscribeParamsSchema = named(
  'UnsubscribeParams',
  Type.Object({
    channel: URISchema,
  }),
);
export type UnsubscribeParams = Static<typeof UnsubscribeParamsSchema>;
