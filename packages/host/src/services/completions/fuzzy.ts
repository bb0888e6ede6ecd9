/** Names made ready to be searched with every keystroke. */
export interface Searchable {
  readonly names: readonly string[];
  readonly lower: readonly string[];
  /** Which characters a name has, one bit each: most names are ruled out by this alone. */
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

/** The names that fit a query best, best first. Its characters must be there in this order; blanks do not matter. */
export function search({ lower, masks }: Searchable, query: string, max: number): Match[] {
  const wanted = query.toLowerCase().replace(/\s+/g, '');
  const mask = maskOf(wanted);
  const best = new Best(max);
  const others: number[] = [];
  for (let index = 0; index < lower.length; index++) {
    if (((masks[index] ?? 0) & mask) !== mask) continue;
    const name = lower[index] ?? '';
    const at = name.indexOf(wanted);
    if (at < 0) others.push(index);
    else best.add(index, wanted === '' ? -name.length / 100 - depthOf(name) : holdingScore(name, wanted, at));
  }
  // Whoever holds the query as it is comes before all who hold it in pieces: often these need not be looked at.
  if (best.matches.length >= max) return best.matches;
  for (const index of others) {
    const score = scatteredOf(lower[index] ?? '', wanted);
    if (score !== undefined) best.add(index, score);
  }
  return best.matches;
}

/** The last part of a path counts most, its beginning before the rest, and short names before long. At least 599. */
function holdingScore(name: string, query: string, first: number): number {
  const short = -Math.min(name.length, 999) / 1_000;
  const base = name.lastIndexOf('/') + 1;
  const inBase = first >= base ? first : name.indexOf(query, base);
  if (inBase === base) return 1_000 + (name.length - base === query.length ? 100 : 0) + short;
  if (inBase > base) return (isBoundary(name, inBase) ? 850 : 800) + short;
  return (isBoundary(name, first) ? 650 : 600) + short;
}

/** The same for characters that stand apart; undefined when they do not stand there in this order. Below 599. */
function scatteredOf(name: string, query: string): number | undefined {
  const short = -Math.min(name.length, 999) / 1_000;
  const base = name.lastIndexOf('/') + 1;
  const inBase = scatteredScore(name, query, base);
  if (inBase !== undefined) return 399 + inBase + short;
  const anywhere = base > 0 ? scatteredScore(name, query, 0) : undefined;
  return anywhere === undefined ? undefined : 199 + anywhere + short;
}

/** Characters one by one: those that follow each other, or start a part of the name, count more. */
function scatteredScore(name: string, query: string, from: number): number | undefined {
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

/** The best so far, in order. */
class Best {
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
