/** UTF-16 units that the note about what is missing takes at most. */
const NOTE_CHARS = 60;

/** A text of at most this many UTF-16 units, with a note where something is missing: both ends tell the most. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = Math.max(0, maxChars - NOTE_CHARS);
  const head = Math.floor(kept * 0.6);
  const tail = kept - head;
  const note = `\n[... ${text.length - kept} characters were cut out here ...]\n`;
  return `${text.slice(0, head)}${note}${text.slice(text.length - tail)}`;
}
