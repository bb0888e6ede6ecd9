import { type DiffLine, diffLines } from '../diff/compute.js';
import type { EditContents } from '../diff/contents.js';
import { type DiffSection, sectionsOf } from '../diff/hunks.js';
import { counterparts } from '../diff/pairs.js';
import { type Run, runsOf } from '../diff/runs.js';
import { languageOf } from '../markdown/language.js';
import { sizeOf } from '../ui/format.js';
import { whyFolded } from './folded-kinds.js';

/** What a file shows below its header. */
export type FileDiff =
  | {
      readonly kind: 'lines';
      readonly sections: (opened: ReadonlySet<string> | undefined) => DiffSection[];
      /** All changes, including hidden whitespace changes, since operations include them too. */
      readonly runs: () => readonly Run[];
      readonly others: ReadonlyMap<DiffLine, DiffLine>;
      readonly before: string;
      readonly after: string;
      readonly language: string | undefined;
    }
  | { readonly kind: 'image'; readonly before: string | undefined; readonly after: string | undefined }
  | { readonly kind: 'note'; readonly text: string; readonly offer?: 'show' | 'retry' };

export interface DiffOptions {
  readonly ignoreWhitespace: boolean;
  /** Compares even what is usually not read: lock files, and what a program made. */
  readonly evenFolded: boolean;
}

/** Compares the two sides of a file. */
export function fileDiff(contents: EditContents, path: string, options: DiffOptions): FileDiff {
  const { ignoreWhitespace } = options;
  switch (contents.kind) {
    case 'image':
      return contents;
    case 'binary':
      return { kind: 'note', text: 'Binary file.' };
    case 'large':
      return { kind: 'note', text: `Large file, ${sizeOf(contents.bytes)}.`, offer: 'show' };
    case 'failed':
      return { kind: 'note', text: contents.reason, offer: 'retry' };
    case 'text': {
      const { before, after } = contents;
      const folded = options.evenFolded ? undefined : whyFolded(path, after || before);
      if (folded) return { kind: 'note', text: `${folded}.`, offer: 'show' };
      const lines = diffLines(before, after, ignoreWhitespace);
      if (lines.every(({ kind }) => kind === 'same')) return { kind: 'note', text: whyNoLines(before, after) };
      const others = counterparts(lines);
      const sections = (opened: ReadonlySet<string> | undefined) => sectionsOf(lines, opened);
      let known: readonly Run[] | undefined;
      const runs = () => (known ??= runsOf(ignoreWhitespace ? diffLines(before, after, false) : lines));
      return { kind: 'lines', sections, runs, others, before, after, language: languageOf(path) };
    }
  }
}

function whyNoLines(before: string, after: string): string {
  if (before !== after) return 'Only whitespace changed.';
  return before === '' ? 'The file is empty.' : 'The content is the same.';
}
