import { object, optional } from '../../common/schema.js';
import { type TextRange, TextRangeSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import {
  type Annotation,
  type AnnotationEntry,
  AnnotationEntrySchema,
  type AnnotationOrigin,
  AnnotationOriginSchema,
  AnnotationSchema,
} from './state.js';

export interface AnnotationsEntryRemovedAction {
  type: 'annotations/entryRemoved';
  /** The annotation that it is about. */
  annotationId: string;
  /** The entry to remove. */
  entryId: string;
}

export const AnnotationsEntryRemovedActionSchema = object<AnnotationsEntryRemovedAction>(
  'AnnotationsEntryRemovedAction',
  {
    type: Type.Literal('annotations/entryRemoved'),
    annotationId: Type.String(),
    entryId: Type.String(),
  },
);

export interface AnnotationsEntrySetAction {
  type: 'annotations/entrySet';
  /** The annotation that it is about. */
  annotationId: string;
  /** The entry to add, or to replace the one with its id. */
  entry: AnnotationEntry;
}

export const AnnotationsEntrySetActionSchema = object<AnnotationsEntrySetAction>('AnnotationsEntrySetAction', {
  type: Type.Literal('annotations/entrySet'),
  annotationId: Type.String(),
  entry: AnnotationEntrySchema,
});

export interface AnnotationsRemovedAction {
  type: 'annotations/removed';
  /** The annotation that it is about. */
  annotationId: string;
}

export const AnnotationsRemovedActionSchema = object<AnnotationsRemovedAction>('AnnotationsRemovedAction', {
  type: Type.Literal('annotations/removed'),
  annotationId: Type.String(),
});

export interface AnnotationsSetAction {
  type: 'annotations/set';
  /** The annotation to add, or to replace the one with its id. */
  annotation: Annotation;
}

export const AnnotationsSetActionSchema = object<AnnotationsSetAction>('AnnotationsSetAction', {
  type: Type.Literal('annotations/set'),
  annotation: AnnotationSchema,
});

export interface AnnotationsUpdatedAction {
  type: 'annotations/updated';
  /** The annotation that it is about. */
  annotationId: string;
  /** Where it was made. */
  origin?: AnnotationOrigin | undefined;
  /** The file that it is about. */
  resource?: URI | undefined;
  /** The lines. */
  range?: TextRange | undefined;
  /** True once somebody has marked the thread as done; clients show it folded or hidden. */
  resolved?: boolean | undefined;
}

export const AnnotationsUpdatedActionSchema = object<AnnotationsUpdatedAction>('AnnotationsUpdatedAction', {
  type: Type.Literal('annotations/updated'),
  annotationId: Type.String(),
  origin: optional(AnnotationOriginSchema),
  resource: optional(URISchema),
  range: optional(TextRangeSchema),
  resolved: optional(Type.Boolean()),
});
