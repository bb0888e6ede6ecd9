import Type, { type Static } from 'typebox';
import { freeForm, named, optional } from '../../common/schema.js';
import { StringOrMarkdownSchema, TextRangeSchema } from '../../common/text.js';
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

export const AnnotationSchema = named(
  'Annotation',
  Type.Object({
    id: Type.String(),
    turnId: Type.String(),
    resource: URISchema,
    range: optional(TextRangeSchema),
    resolved: Type.Boolean(),
    entries: Type.Array(AnnotationEntrySchema),
    _meta: optional(freeForm()),
  }),
);
/** A thread of comments on lines of a file, as a turn left it. */
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
