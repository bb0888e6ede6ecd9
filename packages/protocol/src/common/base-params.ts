import { freeForm, object, optional } from './schema.js';
import { Type } from './type.js';
import { type URI, URISchema } from './uri.js';

/** What the params of every request have: the channel that it is about, and what implementations add. */
export interface BaseParams {
  /** The channel that the request is for. */
  channel: URI;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const BaseParamsSchema = object<BaseParams>('BaseParams', {
  channel: URISchema,
  _meta: optional(freeForm()),
});

/** The same members for requests to the host as a whole, which name the root channel. */
export const rootParamsMembers = {
  ...BaseParamsSchema.properties,
  channel: Type.Literal('ahp-root://'),
};
