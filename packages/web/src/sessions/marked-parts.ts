interface Part {
  readonly at: number;
  readonly part: string;
  readonly isMarked: boolean;
}

/** Characters before the first marked word of an excerpt, so that it is seen in a narrow list. */
const BEFORE = 24;

/** The part of an excerpt that has most marked words close together, from a little before them on. */
export function aroundMarks(parts: readonly Part[]): readonly Part[] {
  const marked = parts.filter(({ isMarked }) => isMarked);
  const closeTo = ({ at }: Part) => marked.filter((other) => other.at >= at && other.at < at + CLOSE).length;
  const [best] = marked.toSorted((one, other) => closeTo(other) - closeTo(one) || one.at - other.at);
  const start = (best?.at ?? 0) - BEFORE;
  if (start <= 0) return parts;
  return parts.flatMap((each) => {
    if (each.at >= start) return [each];
    const kept = each.isMarked ? '' : each.part.slice(start - each.at).replace(/^\S*\s+/, '');
    return kept === '' ? [] : [{ ...each, part: `…${kept}` }];
  });
}

/** Characters within which words belong together. */
const CLOSE = 40;

/** Cuts a text where it has words of the query. As in the host's search, case and accents do not matter, and the last may be a beginning. */
export function markedParts(text: string, query: string): readonly Part[] {
  const words = wordsOf(query).map(([word]) => folded(word));
  const last = words.at(-1);
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: word, index } of wordsOf(text)) {
    const plain = folded(word);
    if (last === undefined || !(words.includes(plain) || plain.startsWith(last))) continue;
    if (index > end) parts.push({ at: end, part: text.slice(end, index), isMarked: false });
    end = index + word.length;
    parts.push({ at: index, part: word, isMarked: true });
  }
  if (end < text.length) parts.push({ at: end, part: text.slice(end), isMarked: false });
  return parts;
}

function wordsOf(text: string): RegExpMatchArray[] & { index: number }[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)];
}

function folded(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
