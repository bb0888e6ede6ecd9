import type { Annotation, AnnotationsState } from '@ahpd/protocol';
import { type Rule, unless } from './verdict.js';

type AnnotationRuleType =
  | 'annotations/set'
  | 'annotations/updated'
  | 'annotations/removed'
  | 'annotations/entrySet'
  | 'annotations/entryRemoved';
type AnnotationRules = { readonly [T in AnnotationRuleType]: Rule<'annotations', T> };

/** B-270, OQ-82: a thread always has an entry, and an action that would change nothing is told so. */
export const annotationRules: AnnotationRules = {
  'annotations/set': ({ annotation }, { state }) =>
    unless(
      ((annotation.id === '' || annotation.entries.some((entry) => entry.id === '')) && 'ids must not be empty') ||
        (annotation.entries.length === 0 && 'an annotation needs an entry') ||
        (annotation.resolved && !find(state, annotation.id) && 'a new annotation is not resolved yet'),
    ),
  'annotations/updated': ({ annotationId }, { state }) => unless(unknown(state, annotationId)),
  'annotations/removed': ({ annotationId }, { state }) => unless(unknown(state, annotationId)),
  'annotations/entrySet': ({ annotationId, entry }, { state }) =>
    unless(unknown(state, annotationId) || (entry.id === '' && 'ids must not be empty')),
  'annotations/entryRemoved': ({ annotationId, entryId }, { state }) => {
    const entries = find(state, annotationId)?.entries ?? [];
    return unless(
      unknown(state, annotationId) ||
        (!entries.some((entry) => entry.id === entryId) && `there is no entry "${entryId}"`) ||
        (entries.length === 1 && 'the last entry cannot be removed; remove the annotation'),
    );
  },
};

function find(state: AnnotationsState, id: string): Annotation | undefined {
  return state.annotations.find((annotation) => annotation.id === id);
}

function unknown(state: AnnotationsState, id: string): string | undefined {
  return find(state, id) ? undefined : `there is no annotation "${id}"`;
}
