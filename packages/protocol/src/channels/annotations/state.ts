import { freeForm, object, optional } from '../../common/schema.js';
import { type StringOrMarkdown, StringOrMarkdownSchema, type TextRange, TextRangeSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

export interface AnnotationEntry {
  /** Unique within its annotation. */
  id: string;
  /** What somebody wrote. */
  text: StringOrMarkdown;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const AnnotationEntrySchema = object<AnnotationEntry>('AnnotationEntry', {
  id: Type.String(),
  text: StringOrMarkdownSchema,
  _meta: optional(freeForm()),
});

/** Where an annotation was made: in which session, and if known in which chat, on the files as which turn left them. */
export interface AnnotationOrigin {
  /** The session that the annotation belongs to. */
  session: URI;
  /** The chat it was made in, if in one. */
  chat?: URI | undefined;
  /** The turn whose version of the file it is about. */
  turnId?: string | undefined;
}

export const AnnotationOriginSchema = object<AnnotationOrigin>('AnnotationOrigin', {
  session: URISchema,
  chat: optional(URISchema),
  turnId: optional(Type.String()),
});

/** A thread of comments on lines of a file. */
export interface Annotation {
  /** Unique within the channel; chosen by whoever makes it. */
  id: string;
  /** Where it was made. */
  origin: AnnotationOrigin;
  /** The file that it is about. */
  resource: URI;
  /** The lines; without it, the whole file. */
  range?: TextRange | undefined;
  /** True once somebody has marked the thread as done; clients show it folded or hidden. */
  resolved: boolean;
  /** The first remark, and the answers to it; never empty. */
  entries: AnnotationEntry[];
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const AnnotationSchema = object<Annotation>('Annotation', {
  id: Type.String(),
  origin: AnnotationOriginSchema,
  resource: URISchema,
  range: optional(TextRangeSchema),
  resolved: Type.Boolean(),
  entries: Type.Array(AnnotationEntrySchema),
  _meta: optional(freeForm()),
});

/** The state of a session's annotations channel. */
export interface AnnotationsState {
  /** All annotations of the session. */
  annotations: Annotation[];
}

export const AnnotationsStateSchema = object<AnnotationsState>('AnnotationsState', {
  annotations: Type.Array(AnnotationSchema),
});

export interface AnnotationsSummary {
  /** The channel that has them. */
  resource: URI;
  /** How many annotations there are, resolved ones included. */
  annotationCount: number;
  /** How many entries these have together. */
  entryCount: number;
}

export const AnnotationsSummarySchema = object<AnnotationsSummary>('AnnotationsSummary', {
  resource: URISchema,
  annotationCount: Type.Integer(),
  entryCount: Type.Integer(),
});
