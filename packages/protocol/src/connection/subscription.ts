import { type BaseParams, BaseParamsSchema } from '../common/base-params.js';
import { object, optional } from '../common/schema.js';
import { Type } from '../common/type.js';
import { type URI, URISchema } from '../common/uri.js';
import { type Snapshot, SnapshotSchema } from './snapshot.js';

export interface SubscriptionDeliveryOptions {
  /** How long actions may be held back to be sent together; 0 means not at all. */
  maxLatencyMs?: number | undefined;
}

export const SubscriptionDeliveryOptionsSchema = object<SubscriptionDeliveryOptions>('SubscriptionDeliveryOptions', {
  maxLatencyMs: optional(Type.Integer()),
});

export interface SubscribeView {
  /** How many of the latest turns of a chat are wanted at first; without it, all of them. */
  turns?: number | undefined;
}

export const SubscribeViewSchema = object<SubscribeView>('SubscribeView', {
  turns: optional(Type.Integer()),
});

export interface SubscribeParams extends BaseParams {
  /** How actions are to be delivered. */
  delivery?: SubscriptionDeliveryOptions | undefined;
  /** How much of the state is wanted. */
  view?: SubscribeView | undefined;
}

export const SubscribeParamsSchema = object<SubscribeParams>('SubscribeParams', {
  ...BaseParamsSchema.properties,
  delivery: optional(SubscriptionDeliveryOptionsSchema),
  view: optional(SubscribeViewSchema),
});

export interface SubscribeResult {
  /** The state; a channel that has none has no snapshot. */
  snapshot?: Snapshot | undefined;
}

export const SubscribeResultSchema = object<SubscribeResult>('SubscribeResult', {
  snapshot: optional(SnapshotSchema),
});

export interface UnsubscribeParams {
  /** The channel that it is about. */
  channel: URI;
}

export const UnsubscribeParamsSchema = object<UnsubscribeParams>('UnsubscribeParams', {
  channel: URISchema,
});
