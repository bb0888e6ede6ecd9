/**
 * A URI as VS Code sends it back after it has parsed and printed it (V-15, V-50): decoded and escaped again, a slash in the
 * path never escaped, everything else that is not unreserved always, authorities in lower case, and none if it is empty.
 */
export function rewrittenUri(uri: string): string {
  const [, scheme = '', authority, path = '', query, fragment] =
    /^([^:/?#]+):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(uri) ?? [];
  const where = authority ? `//${escaped(authority).toLowerCase()}` : '';
  const rest = [query === undefined ? '' : `?${escaped(query)}`, fragment === undefined ? '' : `#${escaped(fragment)}`];
  return `${scheme}:${where}${escaped(path).replaceAll('%2F', '/')}${rest.join('')}`;
}

function escaped(text: string): string {
  const unescaped = decodeURIComponent(text);
  return encodeURIComponent(unescaped).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
