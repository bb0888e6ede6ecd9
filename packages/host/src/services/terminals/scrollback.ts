import type { TerminalContentPart, TerminalState } from '@moorage/protocol';
import { NORMAL_SCREEN_CHARS, SCROLLBACK_CHARS } from './limits.js';
import { findCut, scanAll } from './vt-scan.js';
import { VtState } from './vt-state.js';

/** UTF-16 units added per part, so that many small commands are bounded too. */
const PART_CHARS = 128;

/** The size of a part in terms of the budget. */
export function partChars(part: TerminalContentPart): number {
  const text = contentText(part).length + PART_CHARS;
  return part.type === 'command' ? text + part.commandLine.length : text;
}

/**
 * Drops the oldest output down to the budget. The rest renders in a fresh terminal as before: it is cut at the start of
 * a line or where the screen is cleared, and begins with the colours and modes set earlier.
 */
export function trimScrollback(state: TerminalState): TerminalState {
  const excess = state.content.reduce((sum, part) => sum + partChars(part), 0) - SCROLLBACK_CHARS;
  if (excess <= 0) return state;
  const below = trimFullScreen(state.content);
  return { ...state, content: trimFront(below.content, excess - below.dropped) };
}

/** Trims a full-screen program's own output first: the normal screen comes back when the program ends. */
function trimFullScreen(content: readonly TerminalContentPart[]) {
  const tail = content.at(-1);
  const unchanged = { content, dropped: 0 };
  const text = tail ? contentText(tail) : '';
  if (!tail || !ENTERS_FULL_SCREEN.test(text)) return unchanged;
  const state = new VtState();
  for (const part of content.slice(0, -1)) scanAll(contentText(part), state);
  const start = scanAll(text, state.clone());
  const tooMuch = start === undefined ? 0 : text.length - start - (SCROLLBACK_CHARS - NORMAL_SCREEN_CHARS);
  if (start === undefined || tooMuch <= 0) return unchanged;
  scanAll(text, state, 0, start);
  const cut = findCut(text, start, state, start + tooMuch);
  const kept = text.slice(0, start) + state.preamble({ within: true }) + text.slice(cut);
  return { content: [...content.slice(0, -1), withText(tail, kept)], dropped: text.length - kept.length };
}

/** A quick check that rules out most output. */
const ENTERS_FULL_SCREEN = /\x1b\[\?[\d;]*47h|\x1b\[\?[\d;]*1049h/;

function trimFront(content: readonly TerminalContentPart[], excess: number): TerminalContentPart[] {
  const state = new VtState();
  let left = excess;
  let index = 0;
  for (; index < content.length - 1; index++) {
    const part = content[index];
    if (!part || left < partChars(part)) break;
    scanAll(contentText(part), state);
    left -= partChars(part);
  }
  const first = content[index];
  if (!first || (index === 0 && left <= 0)) return [...content];
  const text = contentText(first);
  const cut = left > 0 ? findCut(text, 0, state, Math.min(left, text.length)) : 0;
  return [withText(first, state.preamble() + text.slice(cut)), ...content.slice(index + 1)];
}

function contentText(part: TerminalContentPart): string {
  return part.type === 'command' ? part.output : part.value;
}

function withText(part: TerminalContentPart, text: string): TerminalContentPart {
  return part.type === 'command' ? { ...part, output: text } : { ...part, value: text };
}
