/** Gives a text the line endings of the file that it goes into. If those are mixed, it stays as it is. */
export function withLineEndingsOf(existing: string, text: string): string {
  return usesCrlf(existing) ? text.replace(/\r?\n/g, '\r\n') : text;
}

function usesCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}
