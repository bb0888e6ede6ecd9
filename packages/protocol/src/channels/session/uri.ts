import { simpleUri } from '../simple-uri.js';

export const sessionUri = simpleUri('ahp-session');

/** Takes a session URI of any scheme apart: ours, or another one's, as older clients choose. Undefined for other forms. */
export function parseSessionUri(uri: string): { scheme: string; id: string } | undefined {
  const [, scheme, id] = /^([a-z][a-z0-9+.-]*):\/([^/?#\s]+)$/i.exec(uri) ?? [];
  return scheme === undefined || id === undefined ? undefined : { scheme, id };
}
