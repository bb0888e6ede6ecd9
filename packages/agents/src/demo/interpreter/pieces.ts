/** Pieces of a streamed text. */
const PIECES = 4;

/** Cuts a text between words into a few pieces, to stream it. */
export function inPieces(text: string): string[] {
  const size = Math.ceil(text.length / PIECES);
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const blank = text.slice(start + size).search(/\s/);
    const end = blank < 0 ? text.length : start + size + blank;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
