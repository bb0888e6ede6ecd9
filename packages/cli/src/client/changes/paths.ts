/** The folder that paths are shown in, or the folders of two sessions that are compared. */
export type Base = string | readonly string[] | undefined;

/** The path of a file inside a session's folder, with slashes; the whole path for one that is elsewhere. */
export function pathOf(uri: string, folder: Base): string {
  const file = decoded(uri);
  const bases = [folder ?? []].flat().map((one) => `${decoded(one).replace(/\/$/, '')}/`);
  const base = bases.find((one) => file.startsWith(one));
  return base === undefined ? file.replace(/^file:\/\//, '') : file.slice(base.length);
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
