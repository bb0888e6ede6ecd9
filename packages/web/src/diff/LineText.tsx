import type { StyledPiece } from '../markdown/styled-lines.js';
import { visible } from '../ui/visible.js';
import { NO_NEWLINE } from './compute.js';
import type { WordPiece } from './words.js';

interface Props {
  readonly text: string;
  readonly words?: readonly WordPiece[] | undefined;
  readonly styled?: readonly StyledPiece[] | undefined;
}

/** The text of one line of a diff, with syntax colours and marks on changed words. */
export function LineText({ text, words, styled }: Props) {
  const open = text.endsWith(NO_NEWLINE);
  const plain = open ? text.slice(0, -1) : text;
  return (
    <>
      {pieces(plain, words, styled).map(({ text: piece, style, changed }, index) => {
        const Tag = changed ? 'mark' : 'span';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
          <Tag key={index} className={style || undefined}>
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
}

/** Splits the line wherever its colour or its mark changes. */
function pieces(text: string, words: Props['words'], styled: Props['styled']): Piece[] {
  if (!words && !styled) return [{ text, style: '', changed: false }];
  const styleEnds = endsOf(styled ?? [{ text, style: '' }]);
  const wordEnds = endsOf(words ?? [{ text, changed: false }]);
  const cuts = [...new Set([...styleEnds, ...wordEnds].map(({ end }) => Math.min(end, text.length)))].sort(
    (a, b) => a - b,
  );
  let start = 0;
  return cuts.flatMap((end) => {
    if (end <= start) return [];
    const piece = {
      text: text.slice(start, end),
      style: styleEnds.find((entry) => entry.end > start)?.item.style ?? '',
      changed: wordEnds.find((entry) => entry.end > start)?.item.changed ?? false,
    };
    start = end;
    return [piece];
  });
}

function endsOf<T extends { readonly text: string }>(items: readonly T[]): { item: T; end: number }[] {
  let end = 0;
  return items.map((item) => {
    end += item.text.length;
    return { item, end };
  });
}
