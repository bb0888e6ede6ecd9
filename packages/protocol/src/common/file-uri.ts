import type { URI } from './uri.js';

const PREFIX = 'file://';

/** Paths in which nothing is ever escaped: most of the thousands in a large changeset. */
const PLAIN = /^[\w./-]*$/;

/**
 * The URI of an absolute path, with the characters escaped that Node's `pathToFileURL` escapes. URIs are compared as strings
 * (OQ-108), so whoever names a file writes it like this.
 */
export function fileUri(path: string): URI {
  return PREFIX + escapedPath(path);
}

/** The URI of a file by its path in a folder, with slashes. */
export function fileUriIn(folder: URI, path: string): URI {
  return `${rewritten(folder).replace(/\/$/, '')}/${escapedPath(path)}`;
}

/** A `file:` URI as `fileUri` would write it; any other, or a malformed one, as it is. */
function rewritten(uri: URI): URI {
  const path = uri.startsWith(`${PREFIX}/`) ? uri.slice(PREFIX.length) : '';
  if (PLAIN.test(path) || /%2f|[?#]/i.test(path)) return uri;
  try {
    return fileUri(decodeURIComponent(path));
  } catch {
    return uri;
  }
}

/** A path as it stands in a URI. A lone surrogate has no UTF-8 form and becomes what every encoder makes of it. */
export function escapedPath(path: string): string {
  if (PLAIN.test(path)) return path;
  const text = path.replace(/\p{Surrogate}/gu, '\uFFFD');
  return encodeURI(text).replace(/[?#~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
