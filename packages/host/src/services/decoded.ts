/** Percent-decodes part of a URI; returns it unchanged if its escapes are malformed. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
