/** UTF-16 units in a title: what fits into a list. */
const TITLE_CHARS = 60;

/** A session title from the first line of its first message. */
export function titleOf(text: string): string {
  const line =
    text
      .split('\n')
      .find((candidate) => candidate.trim() !== '')
      ?.trim() ?? '';
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1).trimEnd()}…` : line;
}
