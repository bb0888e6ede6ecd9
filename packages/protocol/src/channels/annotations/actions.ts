import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { TextRangeSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { AnnotationEntrySchema, AnnotationOriginSchema, AnnotationSchema } from './state.js';

export const AnnotationsEntryRemovedActionSchema = named(
  'AnnotationsEntryRemovedAction',
  Type.Object({
    type: Type.Literal('annotations/entryRemoved'),
    annotationId: Type.String(),
    entryId: Type.String(),
  }),
);
export type AnnotationsEntryRemovedAction = Static<typeof AnnotationsEntryRemovedActionSchema>;

export const AnnotationsEntrySetActionSchema = named(
  'AnnotationsEntrySetAction',
  Type.Object({
    type: Type.Literal('annotations/entrySet'),
    annotationId: Type.String(),
    entry: AnnotationEntrySchema,
  }),
);
export type AnnotationsEntrySetAction = Static<typeof AnnotationsEntrySetActionSchema>;

export const AnnotationsRemovedActionSchema = named(
  'AnnotationsRemovedAction',
  Type.Object({
    type: Type.Literal('annotations/removed'),
    annotationId: Type.String(),
  }),
);
export type AnnotationsRemovedAction = Static<typeof AnnotationsRemovedActionSchema>;

export const AnnotationsSetActionSchema = named(
  'AnnotationsSetAction',
  Type.Object({
    type: Type.Literal('annotations/set'),
    annotation: AnnotationSchema,
  }),
);
export type AnnotationsSetAction = Static<typeof AnnotationsSetActionSchema>;

export const AnnotationsUpdatedActionSchema = named(
  'AnnotationsUpdatedAction',
  Type.Object({
    type: Type.Literal('annotations/updated'),
    annotationId: Type.String(),
    origin: optional(AnnotationOriginSchema),
    resource: optional(URISchema),
    range: optional(TextRangeSchema),
    resolved: optional(Type.Boolean()),
  }),
);
export type AnnotationsUpdatedAction = Static<typeof AnnotationsUpdatedActionSchema>;
