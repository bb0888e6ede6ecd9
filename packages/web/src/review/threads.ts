import { type Annotation, anchorOf, ExtensionMeta, placeNow } from '@moorage/protocol';
import { pathOf } from '../ui/format.js';
import type { ReviewFile } from './file.js';
import { linesIn, textOfLines } from './lines.js';

/** Both sides of a file as shown, and the turn that the newer side is the result of; undefined for the current file. */
export interface ShownVersion {
  readonly before: string;
  readonly after: string;
  readonly turnId: string | undefined;
}

/** Where a thread is shown. Without a line, it is below the file's header. */
export interface ThreadLocation {
  readonly side: 'before' | 'after';
  readonly line: number | undefined;
  /** Why it is not shown at its lines. */
  readonly apart?: 'outdated' | 'elsewhere' | undefined;
}

/** The comments of a review, by file. Also found by the path that a moved file has now. */
export class Threads {
  readonly all: readonly Annotation[];
  /** By path rather than URI, because clients escape different characters of the same URI. */
  readonly #byFile = new Map<string, Annotation[]>();

  constructor(annotations: readonly Annotation[]) {
    this.all = annotations;
    for (const annotation of annotations)
      for (const path of new Set([pathOf(annotation.resource), pathOf(anchorOf(annotation)?.resource)])) {
        const known = this.#byFile.get(path);
        if (known) known.push(annotation);
        else this.#byFile.set(path, [annotation]);
      }
  }

  of({ entry }: ReviewFile): readonly Annotation[] {
    const { before, after } = entry.edit;
    const [here, there] = [this.#at(after?.uri), before?.uri === after?.uri ? NONE : this.#at(before?.uri)];
    return there.length === 0 ? here : [...new Set([...here, ...there])];
  }

  openIn(file: ReviewFile): number {
    return this.of(file).filter(({ resolved }) => !resolved).length;
  }

  #at(uri: string | undefined): readonly Annotation[] {
    return (uri !== undefined && this.#byFile.get(pathOf(uri))) || NONE;
  }
}

const NONE: readonly Annotation[] = [];

export function isOutdated(annotation: Annotation): boolean {
  return anchorOf(annotation)?.state === 'outdated';
}

/** The last line that a comment is about, in the shown version. If that is uncertain, the thread is shown apart. */
export function placeIn(annotation: Annotation, file: ReviewFile, shown: ShownVersion): ThreadLocation {
  const { range, _meta } = annotation;
  const lines = _meta?.[ExtensionMeta.lines];
  const { after } = file.entry.edit;
  const side = _meta?.[ExtensionMeta.side] === 'before' || after === undefined ? 'before' : 'after';
  const at = (found: NonNullable<Annotation['range']>): ThreadLocation => ({ side, line: linesIn(found).to });
  if (!range) return { side, line: undefined };
  const now = placeNow(annotation);
  if (side === 'after' && shown.turnId === undefined)
    return now?.range ? at(now.range) : { side, line: undefined, apart: 'outdated' };
  const seen = typeof lines === 'string' ? lines : undefined;
  const fits = ({ from, to }: { from: number; to: number }) => textOfLines(shown[side], from, to) === seen;
  const isItsTurn = shown.turnId === (anchorOf(annotation)?.turnId ?? annotation.origin.turnId);
  if (seen === undefined ? isItsTurn : fits(linesIn(range))) return at(range);
  if (side === 'after' && seen !== undefined && now?.range && fits(linesIn(now.range))) return at(now.range);
  return { side, line: undefined, apart: isOutdated(annotation) ? 'outdated' : 'elsewhere' };
}
