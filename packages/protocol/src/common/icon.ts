import type { Static } from 'typebox';
import { named, optional } from './schema.js';
import { Type } from './type.js';
import { URISchema } from './uri.js';

export const IconSchema = named(
  'Icon',
  Type.Object({
    src: URISchema,
    contentType: optional(Type.String()),
    sizes: optional(Type.Array(Type.String())),
    theme: optional(Type.Enum(['light', 'dark'])),
  }),
);
/** An image to show. */
export type Icon = Static<typeof IconSchema>;
