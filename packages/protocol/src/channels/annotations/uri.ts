const SUFFIX = '/annotations';

/** The annotations of a session live under the session's own URI (B-268), whatever scheme that has. */
export function annotationsUri(session: string): string {
  return session + SUFFIX;
}

/** The session that an annotations URI belongs to, or undefined when it is not one. */
export function sessionOfAnnotationsUri(uri: string): string | undefined {
  const session = uri.slice(0, -SUFFIX.length);
  const isSession = /^[a-z][a-z0-9+.-]*:\/[^/?#\s]+$/i.test(session);
  return uri.endsWith(SUFFIX) && isSession ? session : undefined;
}
