interface Part {
  readonly at: number;
  readonly part: string;
  readonly isMarked: boolean;
}

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
