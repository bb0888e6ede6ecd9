import type { Static } from 'typebox';
import { freeForm, named, optional } from '../../common/schema.js';
import { StringOrMarkdownSchema, TextRangeSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

export const AnnotationEntrySchema = named(
  'AnnotationEntry',
  Type.Object({
    id: Type.String(),
    text: StringOrMarkdownSchema,
    _meta: optional(freeForm()),
  }),
);
export type AnnotationEntry = Static<typeof AnnotationEntrySchema>;

export const AnnotationOriginSchema = named(
  'AnnotationOrigin',
  Type.Object({
    session: URISchema,
    chat: optional(URISchema),
    turnId: optional(Type.String()),
  }),
);
/** Where an annotation was made: in which session, and if known in which chat, on the files as which turn left them. */
export type AnnotationOrigin = Static<typeof AnnotationOriginSchema>;

export const AnnotationSchema = named(
  'Annotation',
  Type.Object({
    id: Type.String(),
    origin: AnnotationOriginSchema,
    resource: URISchema,
    range: optional(TextRangeSchema),
    resolved: Type.Boolean(),
    entries: Type.Array(AnnotationEntrySchema),
    _meta: optional(freeForm()),
  }),
);
/** A thread of comments on lines of a file. */
export type Annotation = Static<typeof AnnotationSchema>;

export const AnnotationsStateSchema = named(
  'AnnotationsState',
  Type.Object({
    annotations: Type.Array(AnnotationSchema),
  }),
);
/** The state of a session's annotations channel. */
export type AnnotationsState = Static<typeof AnnotationsStateSchema>;

export const AnnotationsSummarySchema = named(
  'AnnotationsSummary',
  Type.Object({
    resource: URISchema,
    annotationCount: Type.Integer(),
    entryCount: Type.Integer(),
  }),
);
export type AnnotationsSummary = Static<typeof AnnotationsSummarySchema>;
