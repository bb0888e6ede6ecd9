import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type Message, MessageSchema } from '../chat/message.js';

/** Our extension: the members of `_meta` of `createSession` and `createChat` that the host understands. */
export interface CreationExtensions {
  /** The new session begins as a copy of another one, up to and including a turn. Of `createSession` only. */
  'moorage.fork'?: { session: URI; turnId: string } | undefined;
  /** What the first chat has as its draft, such as the model for its first message. */
  'moorage.draft'?: Message | undefined;
}

export const CreationExtensionsSchema = object<CreationExtensions>('CreationExtensions', {
  'moorage.fork': optional(Type.Object({ session: URISchema, turnId: Type.String() })),
  'moorage.draft': optional(MessageSchema),
});
