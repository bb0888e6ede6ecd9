import {
  contextScore,
  type Evidence,
  hashOf,
  keysOf,
  lettersIn,
  occurrences,
  sameLine,
  sameWords,
  scoreAfter,
  scoreBefore,
  weightOf,
} from './evidence.js';
import { similarity } from './similarity.js';

/** Where the lines are in another version of the file, or that they cannot be found for certain. */
export type Location =
  | { readonly kind: 'found'; readonly start: number; readonly count: number; readonly isExact: boolean }
  | { readonly kind: 'lost' };

const LOST: Location = { kind: 'lost' };

/**
 * Finds recorded lines again without guessing: if two places fit equally well, or the context has changed too much, the
 * lines count as lost.
 */
export function locate(evidence: Evidence, text: string): Location {
  const keys = keysOf(text);
  const { start, count, total, upTo, onwards } = evidence;
  // If everything up to their end is unchanged, or everything from their start, equal lines elsewhere cannot mislead.
  if (start + count <= keys.length && hashOf(keys, 0, start + count) === upTo) return found(start, count, true);
  const shifted = start + keys.length - total;
  if (shifted >= 0 && hashOf(keys, shifted, keys.length) === onwards) return found(shifted, count, true);
  return byLines(evidence, keys) ?? bySurroundings(evidence, keys);
}

/** Finds the lines themselves. Undefined if they occur nowhere; they may have been edited. */
function byLines(evidence: Evidence, keys: readonly string[]): Location | undefined {
  const { lines, count, rival } = evidence;
  for (const same of [sameLine, sameWords]) {
    const places = occurrences(keys, lines, same);
    if (places.length === 0) continue;
    const scored = places.map((at) => ({ at, score: contextScore(evidence, keys, at) }));
    const [best, second] = scored.sort((a, b) => b.score - a.score);
    if (!best) return LOST;
    const isOnlyOne = !second && rival < 0 && isDistinctive(lines);
    const fits = best.score >= MIN_CONTEXT_SHARE * weightAround(evidence) && best.score > 0;
    const isClear = best.score > rival && best.score > (second?.score ?? -1);
    if (!isOnlyOne && !(fits && isClear)) return LOST;
    return found(best.at, Math.min(count, keys.length - best.at), same === sameLine);
  }
  return undefined;
}

/** Finds edited lines by their context. What is between must still be similar. */
function bySurroundings(evidence: Evidence, keys: readonly string[]): Location {
  const { before, after, lines, count } = evidence;
  if (count > lines.length) return LOST;
  const places: { start: number; count: number; score: number }[] = [];
  for (let from = 0; from < keys.length; from++) {
    const above = scoreBefore(before, keys, from);
    if (above < 1) continue;
    for (let to = from + 1; to <= Math.min(keys.length, from + 2 * count + 2); to++) {
      const below = scoreAfter(after, keys, to);
      if (below >= 1) places.push({ start: from, count: to - from, score: above + below });
    }
  }
  const wanted = lines.join('\n');
  const alike = places.filter(
    ({ start, count: size, score }) =>
      score >= weightAround(evidence) / 2 &&
      similarity(wanted, keys.slice(start, start + size).join('\n')) >= MIN_SIMILARITY,
  );
  const [only, other] = alike;
  return only && !other ? found(only.start, only.count, false) : LOST;
}

/** The share of the context that must still match if the lines alone do not identify the place. */
const MIN_CONTEXT_SHARE = 1 / 3;

/** How similar edited lines must be to the recorded ones. */
const MIN_SIMILARITY = 0.75;

/** Letters that identify lines by themselves: a brace or a `return` is no landmark. */
const DISTINCTIVE_LETTERS = 8;

function isDistinctive(lines: readonly string[]): boolean {
  return lines.reduce((letters, line) => letters + lettersIn(line), 0) >= DISTINCTIVE_LETTERS;
}

function weightAround({ before, after }: Evidence): number {
  return [...before, ...after].reduce((sum, line) => sum + weightOf(line), 0);
}

function found(start: number, count: number, isExact: boolean): Location {
  return { kind: 'found', start, count, isExact };
}
