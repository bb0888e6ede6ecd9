/** A text of at most about this many UTF-16 units, with a note where something is missing: both ends tell the most. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = Math.floor(maxChars * 0.6);
  const tail = maxChars - head;
  const missing = text.length - maxChars;
  return `${text.slice(0, head)}\n[... ${missing} characters were cut out here ...]\n${text.slice(text.length - tail)}`;
}
