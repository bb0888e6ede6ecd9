import type { StyledPiece } from '../markdown/styled-lines.js';
import { visible } from '../ui/visible.js';
import { NO_NEWLINE } from './compute.js';
import type { WordPiece } from './words.js';

interface Props {
  readonly text: string;
  readonly words?: readonly WordPiece[] | undefined;
  readonly styled?: readonly StyledPiece[] | undefined;
  /** A text to mark wherever it is in the line, in any case. */
  readonly found?: string | undefined;
}

/** The text of one line of a diff, with syntax colours and marks on changed words and on what is searched for. */
export function LineText({ text, words, styled, found = '' }: Props) {
  const open = text.endsWith(NO_NEWLINE);
  const plain = open ? text.slice(0, -1) : text;
  return (
    <>
      {pieces(plain, words, styled, found).map(({ text: piece, style, changed, isFound }, index) => {
        const Tag = changed ? 'mark' : 'span';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
          <Tag key={index} className={[style, isFound && 'found'].filter(Boolean).join(' ') || undefined}>
            {visible(piece)}
          </Tag>
        );
      })}
      {open && (
        <span className="no-newline" title="No newline at the end of the file">
          ⊘
        </span>
      )}
    </>
  );
}

interface Piece {
  readonly text: string;
  readonly style: string;
  readonly changed: boolean;
  readonly isFound: boolean;
}

/** Splits the line wherever its colour or one of its marks changes. */
function pieces(text: string, words: Props['words'], styled: Props['styled'], found: string): Piece[] {
  if (!words && !styled && found === '') return [{ text, style: '', changed: false, isFound: false }];
  const foundEnds = endsOf(foundPieces(text, found));
  const styleEnds = endsOf(styled ?? [{ text, style: '' }]);
  const wordEnds = endsOf(words ?? [{ text, changed: false }]);
  const cuts = [
    ...new Set([...styleEnds, ...wordEnds, ...foundEnds].map(({ end }) => Math.min(end, text.length))),
  ].sort((a, b) => a - b);
  let start = 0;
  return cuts.flatMap((end) => {
    if (end <= start) return [];
    const piece = {
      text: text.slice(start, end),
      style: styleEnds.find((entry) => entry.end > start)?.item.style ?? '',
      changed: wordEnds.find((entry) => entry.end > start)?.item.changed ?? false,
      isFound: foundEnds.find((entry) => entry.end > start)?.item.isFound ?? false,
    };
    start = end;
    return [piece];
  });
}

function foundPieces(text: string, found: string): { text: string; isFound: boolean }[] {
  const lower = text.toLowerCase();
  const wanted = found.toLowerCase();
  // Some letters have another length in lower case; then positions would be wrong.
  if (wanted === '' || lower.length !== text.length) return [{ text, isFound: false }];
  const result: { text: string; isFound: boolean }[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    if (at > from) result.push({ text: text.slice(from, at), isFound: false });
    result.push({ text: text.slice(at, at + wanted.length), isFound: true });
    from = at + wanted.length;
  }
  return [...result, { text: text.slice(from), isFound: false }];
}

function endsOf<T extends { readonly text: string }>(items: readonly T[]): { item: T; end: number }[] {
  let end = 0;
  return items.map((item) => {
    end += item.text.length;
    return { item, end };
  });
}
