import { ExtensionMeta } from '../../common/extension-meta.js';
import { optional } from '../../common/schema.js';
import { type TextRange, TextRangeSchema } from '../../common/text.js';
import { type Static, Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { strict } from '../../validation/validator.js';
import type { Annotation } from './state.js';

/** What moorage adds to an annotation: where its lines are now. Other hosts do not write it. */
const AnnotationAnchorSchema = Type.Object({
  /** `here`: `range` holds now as well. `moved`: the lines are elsewhere now. `outdated`: they are not there any more. */
  state: Type.Enum(['here', 'moved', 'outdated']),
  /** The turn whose version the annotation's own `range` counts in. */
  turnId: Type.String(),
  /** Where the lines are now, when they have moved. */
  range: optional(TextRangeSchema),
  /** The file they are in now, when it was renamed. */
  resource: optional(URISchema),
  /** What the lines were, when they are gone. */
  quote: optional(Type.String()),
});
export type AnnotationAnchor = Static<typeof AnnotationAnchorSchema>;

/** What the host says about an annotation's place; undefined when it does not track it. */
export function anchorOf({ _meta }: Annotation): AnnotationAnchor | undefined {
  const anchor = _meta?.[ExtensionMeta.anchor];
  return anchor !== undefined && strict(AnnotationAnchorSchema).check(anchor) ? anchor : undefined;
}

/** Where an annotation is to be shown in the file as it is now; undefined when its lines are gone. */
export function placeNow(annotation: Annotation): { resource: string; range?: TextRange } | undefined {
  const anchor = anchorOf(annotation);
  if (anchor?.state === 'outdated') return undefined;
  const range = anchor?.range ?? annotation.range;
  return { resource: anchor?.resource ?? annotation.resource, ...(range && { range }) };
}
