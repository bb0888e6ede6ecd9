import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

/** Our extension: who wrote the lines of one side of a file in a changeset. */
export interface BlameParams {
  /** The changeset. */
  channel: URI;
  /** The id of a file in it. */
  file: string;
  /** Which version of the file. */
  side: 'before' | 'after';
  /** Lines are counted from 0; without it, all. An answer has a bounded number of lines. */
  lines?: { start: number; count: number } | undefined;
}

export const BlameParamsSchema = object<BlameParams>('BlameParams', {
  channel: URISchema,
  file: Type.String(),
  side: Type.Enum(['before', 'after']),
  lines: optional(Type.Object({ start: Type.Integer({ minimum: 0 }), count: Type.Integer({ minimum: 0 }) })),
});

/** A turn that wrote a line; the user's message is that of the turn. */
export interface BlamedTurn {
  /** The turn that it is about. */
  turnId: string;
  /** The chat that the turn is in, or was. */
  chat?: URI | undefined;
  /** The beginning of its message, while the chat has the turn. */
  message?: string | undefined;
}

export const BlamedTurnSchema = object<BlamedTurn>('BlamedTurn', {
  turnId: Type.String(),
  chat: optional(URISchema),
  message: optional(Type.String()),
});

export interface BlameAuthor {
  /** `user`: somebody who is not a turn of this session. `shared`: nobody can tell which of several it was. */
  whose: 'agent' | 'user' | 'shared';
  /** Of a sub-agent's change, also the turns that it worked for. */
  turns?: BlamedTurn[] | undefined;
  /** Who else it may have been: ids of turns, or `user`. */
  sharedWith?: string[] | undefined;
}

export const BlameAuthorSchema = object<BlameAuthor>('BlameAuthor', {
  whose: Type.Enum(['agent', 'user', 'shared']),
  turns: optional(Type.Array(BlamedTurnSchema)),
  sharedWith: optional(Type.Array(Type.String())),
});

/** Successive lines with the same author. */
export interface BlameSpan {
  /** The first line, counted from 0. */
  start: number;
  /** How many lines. */
  count: number;
  /** Who added these lines, as a position in `authors`; absent if they are older than what the host knows. */
  addedBy?: number | undefined;
  /** Who removed them, of lines that only the side before has. */
  removedBy?: number | undefined;
}

export const BlameSpanSchema = object<BlameSpan>('BlameSpan', {
  start: Type.Integer(),
  count: Type.Integer(),
  addedBy: optional(Type.Integer()),
  removedBy: optional(Type.Integer()),
});

export interface BlameResult {
  /** Who wrote lines; spans name them by their place in this list. */
  authors: BlameAuthor[];
  /** In order, without gaps, from the first line that was asked for. */
  spans: BlameSpan[];
  /** The number of lines that this side has. */
  lineCount: number;
}

export const BlameResultSchema = object<BlameResult>('BlameResult', {
  authors: Type.Array(BlameAuthorSchema),
  spans: Type.Array(BlameSpanSchema),
  lineCount: Type.Integer(),
});
