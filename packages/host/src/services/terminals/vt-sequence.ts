/**
 * Where the next sequence starts at or after `from`, or -1. A sequence is introduced by ESC, or is a character set
 * shift.
 */
export function nextSequence(text: string, from: number): number {
  SEQUENCE_START.lastIndex = from;
  return SEQUENCE_START.test(text) ? SEQUENCE_START.lastIndex - 1 : -1;
}

/** Where the sequence at `start` ends; undefined if the text ends first. */
export function endOfSequence(text: string, start: number): number | undefined {
  if (text.charCodeAt(start) !== ESC) return start + 1;
  switch (text[start + 1]) {
    case undefined:
      return undefined;
    case '[':
      return endOfControl(text, start + 2);
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
      return endOfString(text, start + 2);
    default:
      return endOfShort(text, start + 1);
  }
}

/** Parameters, intermediates and a final byte. Any other character ends the sequence before it. */
function endOfControl(text: string, from: number): number | undefined {
  let at = from;
  while (isBetween(text.charCodeAt(at), 0x30, 0x3f)) at++;
  while (isBetween(text.charCodeAt(at), 0x20, 0x2f)) at++;
  if (at >= text.length) return undefined;
  return isBetween(text.charCodeAt(at), 0x40, 0x7e) ? at + 1 : at;
}

function endOfString(text: string, from: number): number | undefined {
  STRING_END.lastIndex = from;
  const end = STRING_END.exec(text)?.index;
  if (end === undefined) return undefined;
  if (text.charCodeAt(end) !== ESC) return end + 1;
  if (end + 1 >= text.length) return undefined;
  return text[end + 1] === '\\' ? end + 2 : end; // another sequence also ends it
}

function endOfShort(text: string, from: number): number | undefined {
  let at = from;
  while (isBetween(text.charCodeAt(at), 0x20, 0x2f)) at++;
  if (at >= text.length) return undefined;
  return isBetween(text.charCodeAt(at), 0x30, 0x7e) ? at + 1 : at;
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}

const ESC = 0x1b;
const SEQUENCE_START = /[\x0e\x0f\x1b]/g;
const STRING_END = /[\x07\x18\x1a\x1b\x9c]/g;
