import { parseTemplate } from 'url-template';
import { chatUri } from '../chat/uri.js';
import { sessionUri } from '../session/uri.js';

/** Which changes of a session a changeset URI names. */
export type ChangesetSelector =
  /** `elsewhere`: what no state of the folder shows, such as ignored files. */
  | { readonly kind: 'uncommitted' | 'branch' | 'session' | 'elsewhere' }
  | { readonly kind: 'turn'; readonly turnId: string }
  /** What a commit of the repository changed; named by its id, or the beginning of it. */
  | { readonly kind: 'commit'; readonly commit: string }
  /** What all turns of a chat changed. */
  | { readonly kind: 'chat'; readonly chat: string }
  | { readonly kind: 'compare-turns'; readonly originalTurnId: string; readonly modifiedTurnId: string };

/** Which kind of changes that is. */
export type ChangesetKind = ChangesetSelector['kind'];

const SCHEME = 'ahp-changeset:/';

/**
 * The RFC 6570 template under which a session publishes its changesets of one kind (B-253, D-5). A session of ours is named by its
 * id. One with another scheme is named by its URI, as it is if possible: escaped, it does not survive clients that rewrite URIs (V-50).
 */
export function changesetTemplate(session: string, kind: ChangesetKind): string {
  const id = sessionUri.parse(session);
  const isPlain = id === undefined && PLAIN_SESSION.test(session);
  const base = `${isPlain ? session : SCHEME + encodeURIComponent(id ?? session)}/changeset/${kind}`;
  if (kind === 'turn') return `${base}/{turnId}`;
  if (kind === 'chat') return `${base}/{chat}`;
  if (kind === 'commit') return `${base}/{commit}`;
  if (kind === 'compare-turns') return `${base}/{originalTurnId}/{modifiedTurnId}`;
  return base;
}

/** The URI of a changeset of a session. */
export function changesetUri(session: string, selector: ChangesetSelector): string {
  const { kind, ...variables } = selector.kind === 'chat' ? { ...selector, chat: chatName(selector.chat) } : selector;
  return expandUriTemplate(changesetTemplate(session, kind), variables);
}

/**
 * Takes a changeset URI apart into the session's URI and what of it is meant, or gives undefined when it is not one. All forms are
 * understood that a client may have: by the session's id, by its URI (V-51), and by its escaped URI, as it was written earlier and
 * as a client may have rewritten that.
 */
export function parseChangesetUri(uri: string): { session: string; selector: ChangesetSelector } | undefined {
  const [named = '', ...rest] = uri.startsWith(SCHEME) ? segmentsOfOurs(uri) : segmentsUnderSession(uri);
  const segments = rest.map(decode);
  const name = decode(named);
  const [marker, kind, first = '', second = ''] = segments;
  if (marker === 'changeset' && kind === 'chat' && name) return chatSelector(name, segments.slice(2));
  if (!name || segments.some((segment) => !segment)) return undefined;
  const selector = marker === 'changeset' ? selectorOf(kind, first, second, segments.length) : undefined;
  return selector && { session: sessionNamed(name), selector };
}

function sessionNamed(name: string): string {
  return name.includes(':/') ? name : sessionUri.format(name); // an id holds no slash
}

/** The id of a chat of ours; another chat is named by its URI. */
function chatName(chat: string): string {
  const id = chatUri.parse(chat) ?? chat;
  return id.includes('/') ? chat : id;
}

/** A client that writes `%2F` as `/` has cut the URI of a chat into several segments, one of them empty. */
function chatSelector(session: string, segments: readonly (string | undefined)[]) {
  const name = segments.includes(undefined) ? '' : segments.join('/');
  const chat = name.includes('/') ? name : chatUri.format(name);
  if (!chatUri.matches(chat)) return undefined;
  return { session: sessionNamed(session), selector: { kind: 'chat', chat } as const };
}

/** The name of the session and what follows it. A client that writes `%2F` as `/` has cut an escaped URI in two. */
function segmentsOfOurs(uri: string): string[] {
  const [named = '', ...rest] = uri.slice(SCHEME.length).split('/');
  return /(:|%3a)$/i.test(named) ? [`${named}/${rest[0]}`, ...rest.slice(1)] : [named, ...rest];
}

/** The same for a changeset that is named by its session's URI; empty for other URIs. */
function segmentsUnderSession(uri: string): string[] {
  const [, session = '', rest = ''] = /^([^/?#\s]+:\/[^/?#\s]+)\/(changeset\/[^?#\s]+)$/.exec(uri) ?? [];
  return PLAIN_SESSION.test(session) ? [session, ...rest.split('/')] : [];
}

/** A session URI that stays as it is, in a template and in a client that rewrites URIs. */
const PLAIN_SESSION = /^(?!ahp-(?!session:))[a-z][a-z0-9+.-]*:\/[\w.~-]+$/i;

const COMMIT_ID = /^[0-9a-f]{4,64}$/;

/** RFC 6570 expansion, for any template that a host publishes. */
export function expandUriTemplate(template: string, variables: Readonly<Record<string, string>>): string {
  return parseTemplate(template).expand({ ...variables });
}

function selectorOf(kind: string | undefined, first: string, second: string, length: number) {
  switch (kind) {
    case 'uncommitted':
    case 'branch':
    case 'session':
    case 'elsewhere':
      return length === 2 ? { kind } : undefined;
    case 'turn':
      return length === 3 ? { kind, turnId: first } : undefined;
    case 'commit':
      return length === 3 && COMMIT_ID.test(first) ? { kind, commit: first } : undefined;
    case 'compare-turns':
      return length === 4 ? { kind, originalTurnId: first, modifiedTurnId: second } : undefined;
    default:
      return undefined;
  }
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
