import { endOfSequence, nextSequence } from './vt-sequence.js';
import type { VtState } from './vt-state.js';

/** Takes a text into account. Gives where the sequence ends by which the full-screen program took the terminal that has it now. */
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
 * The first place at or after `wanted` where a text may be cut so that the rest, in a fresh terminal with the state that
 * is left in `state`, looks the same: the start of a line, or under a full-screen program where it clears the screen.
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
    if (end === undefined || end > cut) return start; // a line break inside a sequence is none
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

/** In a sequence that does not end: its start is kept, so that the rest is not taken for text. */
function cutWithin(text: string, start: number, state: VtState, wanted: number): number {
  if (wanted < start + UNFINISHED_CHARS) return start;
  state.unfinished = text.slice(start, start + UNFINISHED_CHARS);
  return wholeCharacter(text, wanted);
}

/** Not between the two halves of a character. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

/** Only a mode or a reset can; the rest need not be asked about. */
function mayChangeScreen(text: string, end: number): boolean {
  const final = text[end - 1];
  return final === 'h' || final === 'l' || final === 'c';
}

/** UTF-16 units in which the start of a line is looked for; a longer line is cut where it stands. */
const MAX_LINE_SEARCH = 64 * 1024;

/** UTF-16 units of the start of an endless sequence that are kept: its kind and its number. */
const UNFINISHED_CHARS = 16;

/** What makes everything before it invisible in a full-screen program. */
const CLEARS = /^\x1b(?:c|\[2J|\[\?(?:47|1047|1049)[hl])$/;
const MAX_CLEAR_CHARS = 8;
