import { freeForm, object, optional } from '../../common/schema.js';
import { type StringOrMarkdown, StringOrMarkdownSchema, type TextRange, TextRangeSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

export interface AnnotationEntry {
  id: string;
  text: StringOrMarkdown;
  _meta?: Record<string, unknown> | undefined;
}

export const AnnotationEntrySchema = object<AnnotationEntry>('AnnotationEntry', {
  id: Type.String(),
  text: StringOrMarkdownSchema,
  _meta: optional(freeForm()),
});

/** Where an annotation was made: in which session, and if known in which chat, on the files as which turn left them. */
export interface AnnotationOrigin {
  session: URI;
  chat?: URI | undefined;
  turnId?: string | undefined;
}

export const AnnotationOriginSchema = object<AnnotationOrigin>('AnnotationOrigin', {
  session: URISchema,
  chat: optional(URISchema),
  turnId: optional(Type.String()),
});

/** A thread of comments on lines of a file. */
export interface Annotation {
  id: string;
  origin: AnnotationOrigin;
  resource: URI;
  range?: TextRange | undefined;
  resolved: boolean;
  entries: AnnotationEntry[];
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
  annotations: Annotation[];
}

export const AnnotationsStateSchema = object<AnnotationsState>('AnnotationsState', {
  annotations: Type.Array(AnnotationSchema),
});

export interface AnnotationsSummary {
  resource: URI;
  annotationCount: number;
  entryCount: number;
}

export const AnnotationsSummarySchema = object<AnnotationsSummary>('AnnotationsSummary', {
  resource: URISchema,
  annotationCount: Type.Integer(),
  entryCount: Type.Integer(),
});
