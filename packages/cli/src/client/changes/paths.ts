/** The path of a file inside a session's folder, with slashes; the whole path for one that is elsewhere. */
export function pathOf(uri: string, folder: string | undefined): string {
  const base = folder === undefined ? undefined : `${decoded(folder).replace(/\/$/, '')}/`;
  const file = decoded(uri);
  return base !== undefined && file.startsWith(base) ? file.slice(base.length) : file.replace(/^file:\/\//, '');
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
