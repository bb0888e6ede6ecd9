/**
 * Characters that are not seen but change what is seen: they turn the direction of text around or hide in it, so that code
 * and names read differently from what they are. They are shown by their number.
 */
export function visible(text: string): string {
  return HIDDEN.test(text) ? text.replace(new RegExp(HIDDEN, 'gu'), nameOf) : text;
}

const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u200B\u2060\uFEFF]/u;

function nameOf(character: string): string {
  if (character === '\t' || character === '\n' || character === '\r') return character;
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
