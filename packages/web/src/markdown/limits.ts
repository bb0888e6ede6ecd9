/** Characters of one text that are read as markdown. Longer answers are rare, and reading takes time for each. */
export const MAX_MARKDOWN_CHARS = 64 * 1024;
/** Quotes and lists inside each other. The parser calls itself for each level, and so does whoever walks its tree. */
const MAX_DEPTH = 20;
/**
 * The work that the marks of one text may cause: the parser compares each mark of a paragraph with those before it, so
 * this is the sum of their squares. It is one paragraph with 2,000 marks, or half a second on a slow machine.
 */
const MAX_WORK = 2_000 ** 2;

/** Which blocks of a text can be read as markdown without blocking the page. The others are shown as they are. */
export function readableBlocks(blocks: readonly string[]): readonly boolean[] {
  let chars = 0;
  let work = 0;
  return blocks.map((block) => {
    chars += block.length;
    if (chars > MAX_MARKDOWN_CHARS || depthOf(block) > MAX_DEPTH) return false;
    const cost = workIn(block);
    if (work + cost > MAX_WORK) return false;
    work += cost;
    return true;
  });
}

/** An upper bound: how many markers of quotes and lists a line begins with, and how far they are indented. */
function depthOf(block: string): number {
  let deepest = 0;
  for (const line of block.split('\n')) {
    const [start] = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*/.exec(line) ?? [''];
    const markers = start.match(/>|[-*+]|\d+/g)?.length ?? 0;
    const indent = markers > 0 ? (/^[ \t]*/.exec(start)?.[0].length ?? 0) : 0;
    deepest = Math.max(deepest, markers + Math.floor(indent / 2));
  }
  return deepest;
}

function workIn(block: string): number {
  return block
    .split(/\n[ \t]*\n/)
    .reduce((sum, paragraph) => sum + (paragraph.match(/[*_~[\]`<@!]/g)?.length ?? 0) ** 2, 0);
}
