/** UTF-16 units that the note takes at most. */
const NOTE_CHARS = 60;

/** Cuts the middle out of a text that is too long and leaves a note there, because both ends tell the most. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = Math.max(0, maxChars - NOTE_CHARS);
  const head = Math.floor(kept * 0.6);
  const tail = kept - head;
  const note = `\n[... ${text.length - kept} characters were cut out here ...]\n`;
  return `${text.slice(0, head)}${note}${text.slice(text.length - tail)}`;
}
