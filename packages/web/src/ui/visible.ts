/**
 * Characters that are not seen but change what is seen: they turn the direction of text around or hide in it, so that code
 * and names read differently from what they are. They are shown by their number.
 */
export function visible(text: string): string {
  return HIDDEN.test(text) ? text.replace(new RegExp(HIDDEN, 'gu'), nameOf) : text;
}

/** Not those that letters and pictures are joined and varied with: languages and emoji need them. */
const HIDDEN = /(?!\p{Join_Control}|[\uFE00-\uFE0F])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u;

function nameOf(character: string): string {
  if (character === '\t' || character === '\n' || character === '\r') return character;
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
