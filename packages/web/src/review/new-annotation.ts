import { randomId } from '@moorage/client';
import {
  type Annotation,
  type AnnotationEntry,
  type AnnotationOrigin,
  ExtensionMeta,
  isObject,
} from '@moorage/protocol';
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
  { origin, clientId, diff }: { origin: AnnotationOrigin; clientId: string; diff: FileDiff | undefined },
): Annotation {
  const seen = diff?.kind === 'lines' ? textOfLines(diff[side], from, to) : undefined;
  return {
    id: randomId(),
    origin,
    resource: resourceOf(file, side),
    range: textRange(from, to),
    resolved: false,
    entries: [newEntry(randomId(), text, clientId)],
    _meta: {
      ...(seen !== undefined && { [ExtensionMeta.lines]: seen }),
      ...(side === 'before' && { [ExtensionMeta.side]: side }),
    },
  };
}

/** A comment, which people write as markdown. The protocol has no place for its author and its time. */
export function newEntry(id: string, text: string, clientId: string): AnnotationEntry {
  return {
    id,
    text: { markdown: text },
    _meta: {
      [ExtensionMeta.author]: { name: 'Web page', clientId },
      [ExtensionMeta.writtenAt]: new Date().toISOString(),
    },
  };
}

/** Who wrote a comment, and when, where its client says so. */
export function bylineOf({ _meta }: AnnotationEntry, clientId: string): { author: string; writtenAt: number } {
  const by = _meta?.[ExtensionMeta.author];
  const name = isObject(by) && typeof by.name === 'string' ? by.name : '';
  const isOwn = isObject(by) && by.clientId === clientId;
  return { author: isOwn ? 'You' : name, writtenAt: Date.parse(String(_meta?.[ExtensionMeta.writtenAt])) };
}
