/**
 * Splits markdown where a block surely ends: at an empty line outside of a fence, before a line that cannot continue what
 * was above. While text streams in, only the last block is laid out again.
 */
export function splitBlocks(text: string): string[] {
  // Definitions are valid for the whole text, so it cannot be taken apart.
  if (/^ {0,3}\[[^\]]+\]:/m.test(text)) return [text];
  const blocks: string[] = [];
  let current: string[] = [];
  let fence: string | undefined;
  let afterBlank = false;
  for (const line of text.split('\n')) {
    if (afterBlank && fence === undefined && startsAnew(line)) {
      blocks.push(current.join('\n'));
      current = [];
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark[0] === fence[0] && mark.length >= fence.length && /^[ `~]*$/.test(line)) fence = undefined;
    }
    afterBlank = line.trim() === '';
    current.push(line);
  }
  if (current.length > 0) blocks.push(current.join('\n'));
  return blocks;
}

/** Not empty, not indented, not an item of a list, not a row of a table or a quote. */
function startsAnew(line: string): boolean {
  return /^(?![-*+>|]|\d+[.)])\S/.test(line) || /^(?:\*\*|__)/.test(line);
}
