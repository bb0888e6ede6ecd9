import { type ChatState, expandUriTemplate, type SessionState } from '@ahpd/protocol';
import { UsageError } from '../../usage-error.js';
import { CommandError } from '../errors.js';

/** Which changes a command is about. */
export interface ChangesOptions {
  readonly turn?: string;
  readonly session?: boolean;
  readonly branch?: boolean;
  readonly uncommitted?: boolean;
  readonly compare?: readonly string[];
}

/** The URI of the changeset that the options mean; `otherwise` when they say nothing. */
export function selectChangeset(
  session: SessionState,
  chat: ChatState,
  options: ChangesOptions,
  otherwise: 'session' | 'uncommitted',
): string {
  const given = [options.turn, options.session, options.branch, options.uncommitted, options.compare];
  if (given.filter((value) => value !== undefined).length > 1) {
    throw new UsageError('give one of --turn, --session, --branch, --uncommitted and --compare');
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

/** The URI of a changeset by its kind, if the session offers that. */
export function expandChangeset(
  session: SessionState,
  kind: string,
  variables: Readonly<Record<string, string>> = {},
): string | undefined {
  const offer = session.changesets?.find(({ changeKind }) => changeKind === kind);
  return offer && expandUriTemplate(offer.uriTemplate, variables);
}

/** A turn by its number (1 is the first, -1 the last) or the start of its id. */
export function findTurn({ turns, activeTurn }: ChatState, wanted: string): string {
  const ids = [...turns.map(({ id }) => id), ...(activeTurn ? [activeTurn.id] : [])];
  // A short number is always a number, never by chance the start of an id.
  const number = /^-?\d{1,4}$/.test(wanted) ? Number(wanted) : undefined;
  const byNumber = number ? ids.at(number < 0 ? number : number - 1) : undefined;
  const byId = number === undefined ? ids.filter((id) => id.startsWith(wanted)) : [];
  const found = byNumber === undefined ? byId : [byNumber];
  if (found.length === 1 && found[0] !== undefined) return found[0];
  if (found.length > 1) throw new UsageError(`several turns start with "${wanted}": type more of the id`);
  throw new UsageError(`there is no turn ${wanted}: the session has ${ids.length} (ahp log shows them)`);
}

function wanted(session: SessionState, kind: string, variables: Readonly<Record<string, string>> = {}): string {
  const uri = expandChangeset(session, kind, variables);
  if (uri !== undefined) return uri;
  const offered = (session.changesets ?? []).map(({ changeKind }) => changeKind).join(', ');
  throw new CommandError(`this session has no changes of the kind "${kind}"; it offers: ${offered || 'none'}`);
}
