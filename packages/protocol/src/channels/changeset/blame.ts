import Type, { type Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { URISchema } from '../../common/uri.js';

/** Our extension: who wrote the lines of one side of a file in a changeset. */
export const BlameParamsSchema = named(
  'BlameParams',
  Type.Object({
    /** The changeset. */
    channel: URISchema,
    /** The id of a file in it. */
    file: Type.String(),
    side: Type.Enum(['before', 'after']),
    /** Lines are counted from 0; without it, all. An answer has a bounded number of lines. */
    lines: optional(Type.Object({ start: Type.Integer({ minimum: 0 }), count: Type.Integer({ minimum: 0 }) })),
  }),
);
export type BlameParams = Static<typeof BlameParamsSchema>;

export const BlamedTurnSchema = named(
  'BlamedTurn',
  Type.Object({
    turnId: Type.String(),
    /** The chat that the turn is in, or was. */
    chat: optional(URISchema),
    /** The beginning of its message, while the chat has the turn. */
    message: optional(Type.String()),
  }),
);
/** A turn that wrote a line; the user's message is that of the turn. */
export type BlamedTurn = Static<typeof BlamedTurnSchema>;

export const BlameAuthorSchema = named(
  'BlameAuthor',
  Type.Object({
    /** `user`: somebody who is not a turn of this session. `shared`: nobody can tell which of several it was. */
    whose: Type.Enum(['agent', 'user', 'shared']),
    /** Of a sub-agent's change, also the turns that it worked for. */
    turns: optional(Type.Array(BlamedTurnSchema)),
    /** Who else it may have been: ids of turns, or `user`. */
    sharedWith: optional(Type.Array(Type.String())),
  }),
);
export type BlameAuthor = Static<typeof BlameAuthorSchema>;

export const BlameSpanSchema = named(
  'BlameSpan',
  Type.Object({
    start: Type.Integer(),
    count: Type.Integer(),
    /** Who added these lines, as a position in `authors`; absent if they are older than what the host knows. */
    addedBy: optional(Type.Integer()),
    /** Who removed them, of lines that only the side before has. */
    removedBy: optional(Type.Integer()),
  }),
);
/** Successive lines with the same author. */
export type BlameSpan = Static<typeof BlameSpanSchema>;

export const BlameResultSchema = named(
  'BlameResult',
  Type.Object({
    authors: Type.Array(BlameAuthorSchema),
    /** In order, without gaps, from the first line that was asked for. */
    spans: Type.Array(BlameSpanSchema),
    /** The number of lines that this side has. */
    lineCount: Type.Integer(),
  }),
);
export type BlameResult = Static<typeof BlameResultSchema>;
