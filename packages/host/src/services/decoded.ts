/** A part of a URI without its escapes; as it is when they make no sense. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
