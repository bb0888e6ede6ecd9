import { type CreateTerminalParams, isMcpUri, ROOT_URI, type TerminalClaim, type URI } from '@moorage/protocol';
import { isTelemetryUri } from '@moorage/protocol/internal';
import { isInside } from '../../paths/inside.js';
import type { Attempt, Authorize, Person } from '../../ports/authorize.js';
import type { Log } from '../../ports/log.js';
import { type Grant, grantOf, type People, type Role } from '../../ports/people.js';
import { isFileUri, pathOfUri } from '../resources/file-uri.js';
import { includes, ROLE_FOR_ACTION, ROLE_FOR_REQUEST } from './roles.js';

/** What decides about a person's attempt, besides the person's role. */
export interface ChannelFacts {
  /** The session that a channel is, or belongs to. */
  sessionOf(channel: URI): URI | undefined;
  /** Who holds a terminal; undefined for other channels. */
  claimOf(channel: URI): TerminalClaim | undefined;
  /** The folders that a session works in. */
  foldersOf(session: URI): readonly string[];
}

export interface AuthorizeOptions {
  /** Those whom the host knows itself. */
  readonly people: People | undefined;
  readonly channels: ChannelFacts;
  /** Asked as well. */
  readonly also: Authorize | undefined;
  readonly log: Log;
}

/** Decides by roles, and then by what else decides. What could not be decided is refused: an error must not open the host. */
export function authorizePeople({ people, channels, also, log }: AuthorizeOptions): Authorize {
  return ({ credential, clientId, program, vouched }, attempt) => {
    const person = { credential, clientId, program, vouched };
    try {
      const grant = grantOf(person, people);
      if (!grant) return 'this access has ended: ask for a new link';
      const reason = grant === 'owner' ? undefined : refusal(grant, person, attempt, channels);
      return reason ?? also?.(person, attempt);
    } catch (error) {
      const what = attempt.kind === 'action' ? attempt.action.type : attempt.method;
      log.write('error', 'authorize.failed', 'deciding whether somebody may do something failed', {
        what,
        error: String(error),
      });
      return 'the host could not decide whether this is allowed';
    }
  };
}

function refusal(grant: Grant, person: Person, attempt: Attempt, channels: ChannelFacts): string | undefined {
  const needed = neededRole(person, attempt, channels);
  if (!includes(grant.role, needed))
    return `this needs the role ${needed}, and ${grant.name} has the role ${grant.role}`;
  const isWithin = grant.session === undefined || staysIn(grant.session, attempt, channels);
  return isWithin ? undefined : 'this link is for one session only';
}

function neededRole({ clientId }: Person, attempt: Attempt, channels: ChannelFacts): Role {
  const { channel } = attempt;
  if (isTelemetryUri(channel)) return 'admin';
  const claim = claimIn(attempt, channels);
  const isOutsideSessions = claim?.kind === 'client' && (claim.clientId !== clientId || isNewTerminal(attempt));
  return isOutsideSessions ? 'admin' : listedRole(attempt);
}

function listedRole(attempt: Attempt): Role {
  if (attempt.kind === 'action') return ROLE_FOR_ACTION[attempt.action.type] ?? 'admin';
  const { method, channel } = attempt;
  if (method in ROLE_FOR_REQUEST) return ROLE_FOR_REQUEST[method as keyof typeof ROLE_FOR_REQUEST];
  return isMcpUri(channel) ? 'steer' : 'admin'; // methods of MCP are not ours
}

/** Who holds the terminal that an attempt is about, or is to hold it. */
function claimIn(attempt: Attempt, channels: ChannelFacts): TerminalClaim | undefined {
  return isNewTerminal(attempt) ? attempt.params.claim : channels.claimOf(attempt.channel);
}

function isNewTerminal(attempt: Attempt): attempt is Attempt & { readonly params: CreateTerminalParams } {
  return attempt.kind === 'request' && attempt.method === 'createTerminal';
}

function staysIn(session: URI, attempt: Attempt, channels: ChannelFacts): boolean {
  const { channel } = attempt;
  const claim = claimIn(attempt, channels);
  if (claim) return claim.kind === 'client' || claim.session === session; // its own client's, or it would need admin
  if (channel !== ROOT_URI) return channels.sessionOf(channel) === session && !isComparison(attempt);
  if (attempt.kind === 'action') return false;
  if (attempt.method === 'resourceRead') return mayRead(session, attempt.params as { uri: URI }, channels);
  return AT_THE_ROOT.has(attempt.method);
}

/** It names another session in its parameters. */
function isComparison(attempt: Attempt): boolean {
  return attempt.kind === 'request' && attempt.method === 'moorage/compareSessions';
}

/** Requests that tell nothing of other sessions: of the list, and of what is said at the root, a link gets its session only. */
const AT_THE_ROOT: ReadonlySet<string> = new Set(['ping', 'subscribe', 'listSessions']);

/** Files of the session's folders. Contents under other schemes have names that cannot be guessed. */
function mayRead(session: URI, { uri }: { uri: URI }, channels: ChannelFacts): boolean {
  return !isFileUri(uri) || channels.foldersOf(session).some((folder) => isInside(pathOfUri(uri), folder));
}
