import { object, optional } from './schema.js';
import { Type } from './type.js';
import { type URI, URISchema } from './uri.js';

/** An image to show. */
export interface Icon {
  /** The picture, as a URI that may carry its data. */
  src: URI;
  /** The media type of the picture. */
  contentType?: string | undefined;
  /** Such as `48x48`. */
  sizes?: string[] | undefined;
  /** The background that it is for. */
  theme?: 'light' | 'dark' | undefined;
}

export const IconSchema = object<Icon>('Icon', {
  src: URISchema,
  contentType: optional(Type.String()),
  sizes: optional(Type.Array(Type.String())),
  theme: optional(Type.Enum(['light', 'dark'])),
});
