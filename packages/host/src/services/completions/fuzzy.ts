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
  const best: Match[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < lower.length; index++) {
    if (((masks[index] ?? 0) & mask) !== mask) continue;
    const score = scoreOf(lower[index] ?? '', wanted);
    if (score === undefined || (best.length >= max && score <= least)) continue;
    insert(best, { index, score }, max);
    least = best.at(-1)?.score ?? least;
  }
  return best;
}

/** Higher is better; undefined when it does not fit. The last part of a path counts most, and short names before long. */
export function scoreOf(name: string, query: string): number | undefined {
  const short = -name.length / 100;
  const base = name.lastIndexOf('/') + 1;
  if (query === '') return short - depthOf(name);
  const inBase = name.indexOf(query, base);
  if (inBase === base) return 1_000 + (name.length - base === query.length ? 100 : 0) + short;
  if (inBase > 0) return (isBoundary(name, inBase) ? 850 : 800) + short;
  const inPath = name.indexOf(query);
  if (inPath >= 0) return (isBoundary(name, inPath) ? 650 : 600) + short;
  const scattered = scatteredScore(name, query, base);
  if (scattered !== undefined) return 400 + scattered + short;
  const anywhere = base > 0 ? scatteredScore(name, query, 0) : undefined;
  return anywhere === undefined ? undefined : 200 + anywhere + short;
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

function insert(best: Match[], match: Match, max: number): void {
  let low = 0;
  for (let high = best.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((best[middle]?.score ?? 0) >= match.score) low = middle + 1;
    else high = middle;
  }
  best.splice(low, 0, match);
  if (best.length > max) best.pop();
}

function maskOf(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at++) mask |= 1 << (text.charCodeAt(at) & 31);
  return mask;
}
