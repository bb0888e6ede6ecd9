/** Text that goes into a file, with the line endings that all of the file has. A mixed file takes it as it is. */
export function withLineEndingsOf(existing: string, text: string): string {
  return usesCrlf(existing) ? text.replace(/\r?\n/g, '\r\n') : text;
}

function usesCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}
