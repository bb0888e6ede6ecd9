import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { MessageSchema } from '../chat/message.js';

/** Our extension: the members of `_meta` of `createSession` and `createChat` that the host understands. */
export const CreationExtensionsSchema = named(
  'CreationExtensions',
  Type.Object({
    /** The new session begins as a copy of another one, up to and including a turn. Of `createSession` only. */
    'moorage.fork': optional(Type.Object({ session: URISchema, turnId: Type.String() })),
    /** What the first chat has as its draft, such as the model for its first message. */
    'moorage.draft': optional(MessageSchema),
  }),
);
export type CreationExtensions = Static<typeof CreationExtensionsSchema>;
