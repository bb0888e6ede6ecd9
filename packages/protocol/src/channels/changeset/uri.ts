import { parseTemplate } from 'url-template';
import { sessionUri } from '../session/uri.js';

/** Which changes of a session a changeset URI names. */
export type ChangesetSelector =
  | { readonly kind: 'uncommitted' | 'branch' | 'session' }
  | { readonly kind: 'turn'; readonly turnId: string }
  | { readonly kind: 'compare-turns'; readonly originalTurnId: string; readonly modifiedTurnId: string };

/** Which kind of changes that is. */
export type ChangesetKind = ChangesetSelector['kind'];

const SCHEME = 'ahp-changeset:/';

/**
 * The RFC 6570 template under which a session publishes its changesets of one kind (B-253, D-5). A session is named by its id, and
 * by its whole URI when that has another scheme.
 */
export function changesetTemplate(session: string, kind: ChangesetKind): string {
  const base = `${SCHEME}${encodeURIComponent(sessionUri.parse(session) ?? session)}/changeset/${kind}`;
  if (kind === 'turn') return `${base}/{turnId}`;
  if (kind === 'compare-turns') return `${base}/{originalTurnId}/{modifiedTurnId}`;
  return base;
}

/** The URI of a changeset of a session. */
export function changesetUri(session: string, selector: ChangesetSelector): string {
  const { kind, ...variables } = selector;
  return expandUriTemplate(changesetTemplate(session, kind), variables);
}

/** Takes a changeset URI apart into the session's URI and what of it is meant, or gives undefined when it is not one of ours. */
export function parseChangesetUri(uri: string): { session: string; selector: ChangesetSelector } | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  const segments = uri.slice(SCHEME.length).split('/').map(decode);
  if (segments.some((segment) => !segment)) return undefined;
  const [named = '', marker, kind, first = '', second = ''] = segments;
  if (marker !== 'changeset') return undefined;
  const selector = selectorOf(kind, first, second, segments.length);
  const session = named.includes(':/') ? named : sessionUri.format(named); // an id holds no slash
  return selector && { session, selector };
}

/** RFC 6570 expansion, for any template that a host publishes. */
export function expandUriTemplate(template: string, variables: Readonly<Record<string, string>>): string {
  return parseTemplate(template).expand({ ...variables });
}

function selectorOf(kind: string | undefined, first: string, second: string, length: number) {
  switch (kind) {
    case 'uncommitted':
    case 'branch':
    case 'session':
      return length === 3 ? { kind } : undefined;
    case 'turn':
      return length === 4 ? { kind, turnId: first } : undefined;
    case 'compare-turns':
      return length === 5 ? { kind, originalTurnId: first, modifiedTurnId: second } : undefined;
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
