import { parseSessionUri } from '../session/uri.js';

const SUFFIX = '/annotations';

/** The annotations of a session live under the session's own URI (B-268), whatever scheme that has. */
export function annotationsUri(session: string): string {
  return session + SUFFIX;
}

/** The session that an annotations URI belongs to, or undefined when it is not one. */
export function sessionOfAnnotationsUri(uri: string): string | undefined {
  const session = uri.slice(0, -SUFFIX.length);
  return uri.endsWith(SUFFIX) && parseSessionUri(session) ? session : undefined;
}
