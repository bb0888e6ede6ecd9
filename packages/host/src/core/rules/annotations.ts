import type { Annotation, AnnotationsState } from '@moorage/protocol';
import { MAX_ANNOTATION_CHARS, MAX_ANNOTATIONS, MAX_ENTRIES, MAX_ID_CHARS } from './annotation-limits.js';
import { type Rules, unless } from './verdict.js';

/** An annotation always has an entry, and an action that would change nothing is rejected (B-270, OQ-82). */
export const annotationRules: Rules<'annotations'> = {
  'annotations/set': ({ annotation }, { state }) =>
    unless(
      badId(annotation.id) ||
        annotation.entries.map(({ id }) => badId(id)).find((reason) => reason !== undefined) ||
        (annotation.entries.length === 0 && 'an annotation needs an entry') ||
        (annotation.resolved && !find(state, annotation.id) && 'a new annotation is not resolved yet') ||
        (new Set(annotation.entries.map(({ id }) => id)).size < annotation.entries.length &&
          'two entries have the same id') ||
        badRange(annotation.range) ||
        tooMuch(annotation) ||
        (state.annotations.length >= MAX_ANNOTATIONS &&
          !find(state, annotation.id) &&
          `a session can have ${MAX_ANNOTATIONS} annotations`),
    ),
  'annotations/updated': ({ type: _, annotationId, ...changes }, { state }) => {
    const known = find(state, annotationId);
    if (!known) return unless(unknown(state, annotationId));
    return unless(badRange(changes.range) || tooMuch({ ...known, ...changes } as Annotation));
  },
  'annotations/removed': ({ annotationId }, { state }) => unless(unknown(state, annotationId)),
  'annotations/entrySet': ({ annotationId, entry }, { state }) => {
    const known = find(state, annotationId);
    if (!known) return unless(unknown(state, annotationId));
    const others = known.entries.filter(({ id }) => id !== entry.id);
    return unless(badId(entry.id) || tooMuch({ ...known, entries: [...others, entry] }));
  },
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

function badId(id: string): string | undefined {
  if (id === '') return 'ids must not be empty';
  return id.length > MAX_ID_CHARS ? `an id can have ${MAX_ID_CHARS} characters` : undefined;
}

/** Lines and characters count from zero, and a range must not end before it starts. */
function badRange(range: Annotation['range']): string | undefined {
  if (!range) return undefined;
  const { start, end } = range;
  const isCount = [start.line, start.character, end.line, end.character].every((value) => value >= 0);
  const isForward = end.line > start.line || (end.line === start.line && end.character >= start.character);
  return isCount && isForward ? undefined : 'the range must start at or after 0:0 and not end before it starts';
}

function tooMuch(annotation: Annotation): string | undefined {
  if (annotation.entries.length > MAX_ENTRIES) return `an annotation can have ${MAX_ENTRIES} entries`;
  return JSON.stringify(annotation).length > MAX_ANNOTATION_CHARS ? 'the annotation is too large' : undefined;
}

function unknown(state: AnnotationsState, id: string): string | undefined {
  return find(state, id) ? undefined : `there is no annotation "${id}"`;
}
