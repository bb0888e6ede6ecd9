import { simpleUri } from '../simple-uri.js';

/** `ahp-session:/<id>` */
export const sessionUri = simpleUri('ahp-session');

/** Splits a session URI of any scheme: ours, or one that an older client chose. Undefined for anything else. */
export function parseSessionUri(uri: string): { scheme: string; id: string } | undefined {
  const [, scheme, id] = /^([a-z][a-z0-9+.-]*):\/([^/?#\s]+)$/i.exec(uri) ?? [];
  return scheme === undefined || id === undefined ? undefined : { scheme, id };
}
