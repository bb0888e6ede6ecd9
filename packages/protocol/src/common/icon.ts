import { object, optional } from './schema.js';
import { Type } from './type.js';
import { type URI, URISchema } from './uri.js';

/** An image to show. */
export interface Icon {
  src: URI;
  contentType?: string | undefined;
  sizes?: string[] | undefined;
  theme?: 'light' | 'dark' | undefined;
}

export const IconSchema = object<Icon>('Icon', {
  src: URISchema,
  contentType: optional(Type.String()),
  sizes: optional(Type.Array(Type.String())),
  theme: optional(Type.Enum(['light', 'dark'])),
});
