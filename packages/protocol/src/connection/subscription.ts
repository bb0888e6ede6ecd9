import Type, { type Static } from 'typebox';
import { named, optional } from '../common/schema.js';
import { URISchema } from '../common/uri.js';
import { SnapshotSchema } from './snapshot.js';

export const BaseParamsSchema = named(
  'BaseParams',
  Type.Object({
    channel: URISchema,
  }),
);
export type BaseParams = Static<typeof BaseParamsSchema>;

export const SubscribeParamsSchema = named(
  'SubscribeParams',
  Type.Object({
    channel: URISchema,
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
