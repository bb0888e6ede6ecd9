import { type ChatState, expandUriTemplate, type SessionState } from '@moorage/protocol';
import { UsageError } from '../../usage-error.js';
import { CommandError } from '../errors.js';
import { findTurn } from '../sessions/find-turn.js';

/** Which changes a command is about. */
export interface ChangesOptions {
  readonly turn?: string;
  readonly session?: boolean;
  readonly branch?: boolean;
  readonly uncommitted?: boolean;
  readonly compare?: readonly string[];
}

/** The URI of the changeset that the options choose; of kind `otherwise` if they choose none. */
export function selectChangeset(
  session: SessionState,
  chat: ChatState,
  options: ChangesOptions,
  otherwise: 'session' | 'uncommitted',
): string {
  const given = [options.turn, options.session, options.branch, options.uncommitted, options.compare];
  if (given.filter((value) => value !== undefined).length > 1) {
    throw new UsageError('give only one of --turn, --session, --branch, --uncommitted and --compare');
  }
  if (options.turn !== undefined) return wanted(session, 'turn', { turnId: findTurn(chat, options.turn) });
  if (options.compare !== undefined) {
    const [from, to] = options.compare;
    if (from === undefined || to === undefined)
      throw new UsageError('--compare takes two turns, such as: --compare 1 3');
    const variables = { originalTurnId: findTurn(chat, from), modifiedTurnId: findTurn(chat, to) };
    return wanted(session, 'compare-turns', variables);
  }
  return wanted(
    session,
    options.branch ? 'branch' : options.uncommitted ? 'uncommitted' : options.session ? 'session' : otherwise,
  );
}

/** The URI of a changeset by its kind, if the session offers one. */
export function expandChangeset(
  session: SessionState,
  kind: string,
  variables: Readonly<Record<string, string>> = {},
): string | undefined {
  const offer = session.changesets?.find(({ changeKind }) => changeKind === kind);
  return offer && expandUriTemplate(offer.uriTemplate, variables);
}

function wanted(session: SessionState, kind: string, variables: Readonly<Record<string, string>> = {}): string {
  const uri = expandChangeset(session, kind, variables);
  if (uri !== undefined) return uri;
  const offered = (session.changesets ?? []).map(({ changeKind }) => changeKind).join(', ');
  throw new CommandError(`this session has no changes of the kind "${kind}"; it offers: ${offered || 'none'}`);
}
