import type { Annotation } from '@ahpd/protocol';
import type { ReviewFile } from './file.js';

export function annotationsOf(annotations: readonly Annotation[], { entry }: ReviewFile): Annotation[] {
  const { before, after } = entry.edit;
  return annotations.filter(({ resource }) => resource === after?.uri || resource === before?.uri);
}

/** The line below which a comment stands. */
export function placeOf(
  { resource, range, _meta }: Annotation,
  { entry }: ReviewFile,
): { line: number | undefined; side: 'before' | 'after' } {
  const side = _meta?.side === 'before' || resource !== entry.edit.after?.uri ? 'before' : 'after';
  if (!range) return { line: undefined, side };
  // Ranges count from zero, and one that ends at the start of a line does not reach into it.
  const last = range.end.character === 0 && range.end.line > range.start.line ? range.end.line : range.end.line + 1;
  return { line: last, side };
}
