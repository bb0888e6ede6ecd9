/** Pieces of a streamed text. */
const PIECES = 4;

/** Cuts a text into a few pieces between its words. Together they are the text. */
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
