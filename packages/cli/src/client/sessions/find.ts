import { realpathSync } from 'node:fs';
import { allSessions, type Client } from '@moorage/client';
import { fileUri, type SessionSummary } from '@moorage/protocol';
import { UsageError } from '../../usage-error.js';
import { CommandError } from '../errors.js';
import { assertServedHere } from '../host/elsewhere.js';
import { plainLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';

/** Sessions that an error lists; more would push its message out of sight. */
const MAX_CANDIDATES = 10;

/** All sessions of the host, newest first. */
export async function listSessions(client: Client): Promise<SessionSummary[]> {
  const sessions = await withProgress('listing sessions', allSessions(client));
  return sessions.toSorted((a, b) => Date.parse(b.modifiedAt) - Date.parse(a.modifiedAt));
}

/**
 * The session that the user named (see `namedSession`); without a name the newest of this folder, or else the only one. At a
 * gateway, throws `ServedElsewhere`.
 */
export async function findSession(client: Client, wanted: string | undefined): Promise<SessionSummary> {
  const sessions = await listSessions(client);
  const found = wanted === undefined ? newestHere(sessions) : namedSession(sessions, wanted);
  if (!found) throw new CommandError(`there is no session "${wanted}"\nList them with: moorage ls --all`);
  assertServedHere(found);
  return found;
}

/** A session by its URI, or by the start of its id or title. Throws when several fit. */
export function namedSession<T extends Titled>(sessions: readonly T[], wanted: string): T | undefined {
  const title = wanted.toLowerCase();
  const ways = [
    (session: T) => session.resource === wanted || sessionId(session) === wanted,
    (session: T) => session.title.toLowerCase() === title,
    (session: T) => sessionId(session).startsWith(wanted),
    (session: T) => session.title.toLowerCase().startsWith(title),
  ];
  for (const isMeant of ways) {
    const found = sessions.filter(isMeant);
    if (found.length > 1) throw ambiguous(wanted, found);
    if (found[0]) return found[0];
  }
  return undefined;
}

type Named = Pick<SessionSummary, 'resource'>;
type Titled = Pick<SessionSummary, 'resource' | 'title'>;

export function sessionId({ resource }: Named): string {
  return resource.slice(resource.indexOf('/') + 1);
}

/** The start of each id that is enough to name it: 8 characters, or more where two sessions share these. */
export function shortIds<T extends Named>(sessions: readonly T[]): Map<T, string> {
  const ids = sessions.map(sessionId);
  return new Map(
    sessions.map((session) => {
      const id = sessionId(session);
      let length = 8;
      while (length < id.length && ids.some((other) => other !== id && other.startsWith(id.slice(0, length)))) length++;
      return [session, plainLine(id.slice(0, length))];
    }),
  );
}

export function shortId(session: Named): string {
  return plainLine(sessionId(session).slice(0, 8));
}

/** The URI of a folder as sessions have it: without links. */
export function folderUri(folder: string): string {
  try {
    return fileUri(realpathSync(folder));
  } catch {
    throw new UsageError(`there is no folder ${folder}`);
  }
}

/** Whether a session works in a folder, or in a work tree of it. */
export function isIn(session: SessionSummary, folder: string): boolean {
  const folders = [...(session.workingDirectories ?? []), session.project?.uri];
  return folders.some((uri) => uri?.replace(/\/$/, '') === folder);
}

function newestHere(sessions: readonly SessionSummary[]): SessionSummary {
  const here = folderUri('.');
  const found = sessions.find((session) => isIn(session, here));
  if (found) return found;
  if (sessions.length === 1 && sessions[0]) return sessions[0];
  throw new CommandError(
    'there is no session in this folder\nStart one with: moorage run "PROMPT", or name one of those that moorage ls lists',
  );
}

function ambiguous(wanted: string, found: readonly Titled[]): CommandError {
  const ids = shortIds(found);
  const lines = found.slice(0, MAX_CANDIDATES).map((session) => `  ${ids.get(session)}  ${plainLine(session.title)}`);
  const more = found.length > MAX_CANDIDATES ? [`  and ${found.length - MAX_CANDIDATES} more`] : [];
  return new CommandError(`"${wanted}" may be any of these:\n${[...lines, ...more].join('\n')}\nType more of its id.`);
}
