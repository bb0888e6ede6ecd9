/** Names prepared for a search with every keystroke. */
export interface Searchable {
  readonly names: readonly string[];
  readonly lower: readonly string[];
  /** A bit for each character (modulo 32) in a name; this alone rules out most names. */
  readonly masks: Int32Array;
}

export function searchable(names: readonly string[]): Searchable {
  const lower = names.map((name) => name.toLowerCase());
  return { names, lower, masks: Int32Array.from(lower, maskOf) };
}

export interface Match {
  readonly index: number;
  readonly score: number;
}

/**
 * The best matches for a query, best first. A name matches if it has the query's characters in order; blanks are
 * ignored.
 */
export function search({ lower, masks }: Searchable, query: string, max: number): Match[] {
  const wanted = query.toLowerCase().replace(/\s+/g, '');
  const mask = maskOf(wanted);
  const best = new TopMatches(max);
  const others: number[] = [];
  for (let index = 0; index < lower.length; index++) {
    if (((masks[index] ?? 0) & mask) !== mask) continue;
    const name = lower[index] ?? '';
    const at = name.indexOf(wanted);
    if (at < 0) others.push(index);
    else best.add(index, wanted === '' ? -name.length / 100 - depthOf(name) : substringScore(name, wanted, at));
  }
  // Any name that contains the query scores above all that have its characters spread out, so those can often be
  // skipped.
  if (best.matches.length >= max) return best.matches;
  for (const index of others) {
    const score = spreadOutScore(lower[index] ?? '', wanted);
    if (score !== undefined) best.add(index, score);
  }
  return best.matches;
}

/**
 * Scores a name that contains the query. A match in the last path segment counts most, one at its start more still, and
 * short names win. At least 599.
 */
function substringScore(name: string, query: string, first: number): number {
  const short = -Math.min(name.length, 999) / 1_000;
  const base = name.lastIndexOf('/') + 1;
  const inBase = first >= base ? first : name.indexOf(query, base);
  if (inBase === base) return 1_000 + (name.length - base === query.length ? 100 : 0) + short;
  if (inBase > base) return (isBoundary(name, inBase) ? 850 : 800) + short;
  return (isBoundary(name, first) ? 650 : 600) + short;
}

/** Scores a name with the query's characters spread out; undefined when they are not there in order. Below 599. */
function spreadOutScore(name: string, query: string): number | undefined {
  const short = -Math.min(name.length, 999) / 1_000;
  const base = name.lastIndexOf('/') + 1;
  const inBase = charactersScore(name, query, base);
  if (inBase !== undefined) return 399 + inBase + short;
  const anywhere = base > 0 ? charactersScore(name, query, 0) : undefined;
  return anywhere === undefined ? undefined : 199 + anywhere + short;
}

/** Scores the characters one by one; those next to each other, or at the start of a part of the name, count more. */
function charactersScore(name: string, query: string, from: number): number | undefined {
  let score = 0;
  let last = -2;
  let at = from;
  for (let index = 0; index < query.length; index++) {
    const found = name.indexOf(query[index] ?? '', at);
    if (found < 0) return undefined;
    if (found === last + 1) score += 5;
    if (isBoundary(name, found)) score += 8;
    last = found;
    at = found + 1;
  }
  return Math.min(199, (score * 10) / query.length);
}

function isBoundary(name: string, at: number): boolean {
  return at === 0 || '/._- '.includes(name[at - 1] ?? '');
}

function depthOf(name: string): number {
  let depth = 0;
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) depth++;
  return depth;
}

/** The best matches so far, in order. */
class TopMatches {
  readonly matches: Match[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  add(index: number, score: number): void {
    const { matches } = this;
    if (matches.length >= this.#max && score <= (matches.at(-1)?.score ?? 0)) return;
    let low = 0;
    for (let high = matches.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((matches[middle]?.score ?? 0) >= score) low = middle + 1;
      else high = middle;
    }
    matches.splice(low, 0, { index, score });
    if (matches.length > this.#max) matches.pop();
  }
}

function maskOf(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at++) mask |= 1 << (text.charCodeAt(at) & 31);
  return mask;
}
