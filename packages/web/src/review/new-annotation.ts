import { randomId } from '@moorage/client';
import { type Annotation, type AnnotationOrigin, ExtensionMeta } from '@moorage/protocol';
import type { ReviewFile } from './file.js';
import type { FileDiff } from './file-diff.js';
import { textOfLines } from './lines.js';
import { resourceOf, textRange } from './ranges.js';
import type { LineRange } from './rows.js';

/** A comment on lines. It includes their text, so that the host and other clients know which version they belong to. */
export function newAnnotation(
  file: ReviewFile,
  { side, from, to }: LineRange,
  text: string,
  origin: AnnotationOrigin,
  diff: FileDiff | undefined,
): Annotation {
  const seen = diff?.kind === 'lines' ? textOfLines(diff[side], from, to) : undefined;
  return {
    id: randomId(),
    origin,
    resource: resourceOf(file, side),
    range: textRange(from, to),
    resolved: false,
    entries: [{ id: randomId(), text }],
    _meta: {
      ...(seen !== undefined && { [ExtensionMeta.lines]: seen }),
      ...(side === 'before' && { [ExtensionMeta.side]: side }),
    },
  };
}
