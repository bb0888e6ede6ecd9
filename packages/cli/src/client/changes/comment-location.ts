import { type Annotation, anchorOf, placeNow } from '@moorage/protocol';
import { pathOf } from './paths.js';

/** Where a comment is now, or where it was when its lines are gone. */
export function describeLocation(annotation: Annotation, folder: string | undefined): string {
  const { resource, range } = placeNow(annotation) ?? annotation;
  const line = range ? `:${range.start.line + 1}` : '';
  const state = anchorOf(annotation)?.state;
  const note = state === 'outdated' ? ' (outdated)' : state === 'moved' ? ' (moved)' : '';
  return `${pathOf(resource, folder)}${line}${note}`;
}
