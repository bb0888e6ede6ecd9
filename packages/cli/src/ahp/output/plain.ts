/**
 * Text of agents, files and other people as it may be shown in a terminal: escape sequences could retitle it, write to the
 * clipboard or hide what a command does, and so could characters that turn the direction of text.
 */
export function plain(text: string): string {
  return text.replace(SEQUENCES, '').replace(CONTROLS, '');
}

/** The same on one line, for tables and titles. */
export function plainLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim();
}

/** JSON that a terminal can be shown: what JSON leaves as it is, but a terminal would obey, is escaped. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNESCAPED, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

// Built from text, because control characters are what this is about: ESC starts a sequence, as C1 characters do alone.
const CSI = '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]';
/** OSC, DCS, SOS, PM and APC with their text, up to its end or to the end of all. */
const STRINGS = '(?:\\x1b[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f])[^\\x07\\x1b\\x9c]*(?:\\x07|\\x1b\\\\|\\x9c|$)';
const SEQUENCES = new RegExp(`${CSI}|${STRINGS}|\\x1b[ -/]*[0-~]`, 'g');
const TURNS = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const CONTROLS = new RegExp(`[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f${TURNS}]`, 'g');
const UNESCAPED = new RegExp(`[\\x7f-\\x9f${TURNS}]`, 'g');
