/**
 * Makes invisible characters visible as their code points. Such characters reverse the direction of text or hide in it, so
 * that code and names look different from what they are.
 */
export function visible(text: string): string {
  return HIDDEN.test(text) ? text.replace(new RegExp(HIDDEN, 'gu'), nameOf) : text;
}

/** Except joiners and variation selectors, which languages and emoji need. */
const HIDDEN = /(?!\p{Join_Control}|[\uFE00-\uFE0F])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u;

function nameOf(character: string): string {
  if (character === '\t' || character === '\n' || character === '\r') return character;
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
