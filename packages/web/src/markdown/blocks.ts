/**
 * Splits markdown where a block certainly ends: at an empty line outside a fence, before a line that cannot continue the
 * previous block. While text streams in, only the last block is rendered again.
 */
export function splitBlocks(text: string): string[] {
  // Link definitions apply to the whole text, so it must stay in one piece.
  if (/^ {0,3}\[[^\]\n]+\]:/m.test(text)) return [text];
  const blocks: string[] = [];
  let current: string[] = [];
  let fence: string | undefined;
  let afterBlank = false;
  for (const line of text.split('\n')) {
    if (afterBlank && fence === undefined && startsBlock(line)) {
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

/** Whether a line is neither empty nor indented, nor part of a list, a table or a quote. */
function startsBlock(line: string): boolean {
  return /^(?![-*+>|]|\d+[.)])\S/.test(line) || /^(?:\*\*|__)/.test(line);
}
