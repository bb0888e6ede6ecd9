import type { Static } from 'typebox';
import { freeForm, named, optional } from './schema.js';
import { Type } from './type.js';
import { URISchema } from './uri.js';

export const BaseParamsSchema = named(
  'BaseParams',
  Type.Object({
    channel: URISchema,
    _meta: optional(freeForm()),
  }),
);
/** What the params of every request have: the channel that it is about, and what implementations add. */
export type BaseParams = Static<typeof BaseParamsSchema>;

/** The same members for requests to the host as a whole, which name the root channel. */
export const rootParamsMembers = {
  ...BaseParamsSchema.properties,
  channel: Type.Literal('ahp-root://'),
};
