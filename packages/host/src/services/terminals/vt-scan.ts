import { endOfSequence, nextSequence } from './vt-sequence.js';
import type { VtState } from './vt-state.js';

/**
 * Applies a text to `state`. If a full-screen program took over in it and still runs, returns where its first output
 * starts.
 */
export function scanAll(text: string, state: VtState, from = 0, to = text.length): number | undefined {
  let alternateSince: number | undefined;
  for (let start = nextSequence(text, from); start >= 0 && start < to; ) {
    const end = endOfSequence(text, start);
    if (end === undefined) break;
    const before = mayChangeScreen(text, end) ? state.isAlternate : undefined;
    state.apply(text, start, end);
    if (before === false && state.isAlternate) alternateSince = end;
    if (before && !state.isAlternate) alternateSince = undefined;
    start = nextSequence(text, end);
  }
  return alternateSince;
}

/**
 * The first place at or after `wanted` to cut a text so that the rest, in a fresh terminal with the resulting `state`,
 * looks the same: the start of a line, or where a full-screen program clears the screen.
 */
export function findCut(text: string, from: number, state: VtState, wanted: number): number {
  let at = from;
  for (let start = nextSequence(text, from); start >= 0 && start < wanted; ) {
    const end = endOfSequence(text, start);
    if (end === undefined) return cutWithin(text, start, state, wanted);
    state.apply(text, start, end);
    at = end;
    start = nextSequence(text, end);
  }
  const earliest = Math.max(at, wanted);
  return state.isAlternate ? cutAtClear(text, earliest, state) : cutAtLine(text, earliest, state);
}

function cutAtLine(text: string, earliest: number, state: VtState): number {
  const line = text.indexOf('\r\n', earliest);
  const isNear = line >= 0 && line - earliest <= MAX_LINE_SEARCH;
  const cut = isNear ? line + 2 : wholeCharacter(text, earliest);
  for (let start = nextSequence(text, earliest); start >= 0 && start < cut; ) {
    const end = endOfSequence(text, start);
    if (end === undefined || end > cut) return start; // a line break inside a sequence does not count
    state.apply(text, start, end);
    start = nextSequence(text, end);
  }
  return cut;
}

function cutAtClear(text: string, earliest: number, state: VtState): number {
  const ahead = state.clone();
  for (let start = nextSequence(text, earliest); start >= 0; ) {
    const end = endOfSequence(text, start);
    if (end === undefined) break;
    if (end - start <= MAX_CLEAR_CHARS && CLEARS.test(text.slice(start, end))) {
      state.take(ahead);
      return start;
    }
    ahead.apply(text, start, end);
    start = nextSequence(text, end);
  }
  return wholeCharacter(text, earliest);
}

/** Cuts inside an unfinished sequence. Its start is kept, so that the rest is not taken for text. */
function cutWithin(text: string, start: number, state: VtState, wanted: number): number {
  if (wanted < start + UNFINISHED_CHARS) return start;
  state.unfinished = text.slice(start, start + UNFINISHED_CHARS);
  return wholeCharacter(text, wanted);
}

/** Does not cut between the halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

/** Only a mode change or a reset can switch screens; this skips the check for all others. */
function mayChangeScreen(text: string, end: number): boolean {
  const final = text[end - 1];
  return final === 'h' || final === 'l' || final === 'c';
}

/** UTF-16 units to search for the start of a line; a longer line is cut in the middle. */
const MAX_LINE_SEARCH = 64 * 1024;

/** UTF-16 units kept of the start of an unfinished sequence: its kind and number. */
const UNFINISHED_CHARS = 16;

/** Sequences that hide everything a full-screen program has drawn before. */
const CLEARS = /^\x1b(?:c|\[2J|\[\?(?:47|1047|1049)[hl])$/;
const MAX_CLEAR_CHARS = 8;
