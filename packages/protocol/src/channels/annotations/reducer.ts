import { removeAt, upsert } from '../../common/list.js';
import type { ActionOf } from '../action-table.js';
import type { Annotation, AnnotationsState } from './state.js';

export function reduceAnnotations(state: AnnotationsState, action: ActionOf<'annotations'>): AnnotationsState {
  switch (action.type) {
    case 'annotations/set':
      return {
        ...state,
        annotations: upsert(state.annotations, action.annotation, (entry) => entry.id === action.annotation.id),
      };
    case 'annotations/updated':
      return change(state, action.annotationId, (annotation) => ({
        ...annotation,
        origin: action.origin ?? annotation.origin,
        resource: action.resource ?? annotation.resource,
        resolved: action.resolved ?? annotation.resolved,
        ...(action.range && { range: action.range }),
      }));
    case 'annotations/removed': {
      const index = state.annotations.findIndex((entry) => entry.id === action.annotationId);
      return index < 0 ? state : { ...state, annotations: removeAt(state.annotations, index) };
    }
    case 'annotations/entrySet':
      return change(state, action.annotationId, (annotation) => ({
        ...annotation,
        entries: upsert(annotation.entries, action.entry, (entry) => entry.id === action.entry.id),
      }));
    case 'annotations/entryRemoved':
      return change(state, action.annotationId, (annotation) => {
        const index = annotation.entries.findIndex((entry) => entry.id === action.entryId);
        return index < 0 ? annotation : { ...annotation, entries: removeAt(annotation.entries, index) };
      });
    default:
      return state;
  }
}

function change(state: AnnotationsState, id: string, edit: (annotation: Annotation) => Annotation): AnnotationsState {
  const index = state.annotations.findIndex((entry) => entry.id === id);
  const annotation = state.annotations[index];
  if (!annotation) return state;
  const edited = edit(annotation);
  return edited === annotation ? state : { ...state, annotations: state.annotations.with(index, edited) };
}
