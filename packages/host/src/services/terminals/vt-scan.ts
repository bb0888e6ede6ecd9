import type { VtState } from './vt-state.js';

/** Where a full-screen program took the terminal. */
export interface AlternateStart {
  readonly sequenceStart: number;
  readonly sequenceEnd: number;
}

/** Takes a whole text into account. Tells where the full-screen program that has the terminal at its end took it. */
export function scanAll(text: string, state: VtState, from = 0, to = text.length): AlternateStart | undefined {
  let start: AlternateStart | undefined;
  for (const { index, end } of sequences(text, from, to)) {
    if (end === undefined) break;
    const before = state.isAlternate;
    state.apply(text.slice(index, end));
    if (!before && state.isAlternate) start = { sequenceStart: index, sequenceEnd: end };
    if (!state.isAlternate) start = undefined;
  }
  return start;
}

/**
 * The first place at or after `wanted` where a text may be cut so that the rest, in a fresh terminal with the state that
 * is left in `state`, looks the same: the start of a line, or under a full-screen program where it clears the screen.
 */
export function findCut(text: string, from: number, state: VtState, wanted: number): number {
  let at = from;
  for (const { index, end } of sequences(text, from, text.length)) {
    if (index >= wanted) break;
    if (end === undefined) return cutWithin(text, index, state, wanted);
    state.apply(text.slice(index, end));
    at = end;
  }
  const earliest = Math.max(at, wanted);
  return state.isAlternate ? cutAtClear(text, earliest, state) : cutAtLine(text, earliest, state);
}

function cutAtLine(text: string, earliest: number, state: VtState): number {
  const limit = Math.min(text.length, earliest + MAX_LINE_SEARCH);
  const line = text.indexOf('\r\n', earliest);
  const cut = line >= 0 && line + 2 <= limit ? line + 2 : wholeCharacter(text, earliest);
  for (const { index, end } of sequences(text, earliest, limit)) {
    if (index >= cut) break;
    if (end === undefined || end > cut) return index; // a line break inside a sequence is none
    state.apply(text.slice(index, end));
  }
  return cut;
}

function cutAtClear(text: string, earliest: number, state: VtState): number {
  const ahead = state.clone();
  for (const { index, end } of sequences(text, earliest, text.length)) {
    if (end === undefined) break;
    const sequence = text.slice(index, end);
    if (CLEARS.test(sequence)) {
      state.sgr = ahead.sgr;
      state.modes = ahead.modes;
      state.others = ahead.others;
      return index;
    }
    ahead.apply(sequence);
  }
  return wholeCharacter(text, earliest);
}

/** In a sequence that does not end: its start is kept, so that the rest is not taken for text. */
function cutWithin(text: string, index: number, state: VtState, wanted: number): number {
  if (wanted < index + UNFINISHED_CHARS) return index;
  state.unfinished = text.slice(index, index + UNFINISHED_CHARS);
  return wholeCharacter(text, wanted);
}

/** Not between the two halves of a character. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

/** The sequences in a text; the last one has no end when the text ends before it does. */
function* sequences(text: string, from: number, to: number): Iterable<{ index: number; end: number | undefined }> {
  const introducer = /[\x0e\x0f\x1b]/g;
  introducer.lastIndex = from;
  for (let found = introducer.exec(text); found && found.index < to; found = introducer.exec(text)) {
    const { index } = found;
    const end = text[index] === '\x1b' ? endOf(text, index) : index + 1;
    yield { index, end };
    if (end === undefined) return;
    introducer.lastIndex = end;
  }
}

function endOf(text: string, index: number): number | undefined {
  SEQUENCE.lastIndex = index;
  return SEQUENCE.test(text) ? SEQUENCE.lastIndex : undefined;
}

/** UTF-16 units of the start of an endless sequence that are kept: its kind and its number. */
const UNFINISHED_CHARS = 16;

/** UTF-16 units in which the start of a line is looked for; a longer line is cut where it stands. */
const MAX_LINE_SEARCH = 64 * 1024;

/** What makes everything before it invisible in a full-screen program. */
const CLEARS = /^\x1b(?:c|\[2J|\[\?(?:47|1047|1049)[hl])$/;

const CONTROL = /\[[0-?]*[ -/]*[@-~]/;
const COMMAND_STRING = /\][^\x07\x18\x1a\x1b\x9c]*(?:\x1b\\|[\x07\x18\x1a\x9c]|(?=\x1b))/;
const OTHER_STRING = /[PX^_][^\x18\x1a\x1b\x9c]*(?:\x1b\\|[\x18\x1a\x9c]|(?=\x1b))/;
const SHORT = /[ -/]+[0-~]|(?![[\]PX^_ -/])[0-~]/;
const MALFORMED = /\[[0-?]*[ -/]*(?=[^ -~]|[0-?])|(?=[\x00-\x1f\x7f-\uffff])/;

/** All that an ESC may begin. What is cut off at the end of the text does not match. */
const SEQUENCE = new RegExp(
  `\x1b(?:${[CONTROL, COMMAND_STRING, OTHER_STRING, SHORT, MALFORMED].map(({ source }) => source).join('|')})`,
  'y',
);
