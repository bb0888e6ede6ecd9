import type { SessionState } from '@moorage/protocol';
import type { ReadingDoor } from '../../../core/door-parts.js';
import { BRANCH_CHARS, MAX_LISTED_TURNS, SUBJECT_CHARS } from '../limits.js';

/** Describes a session for a commit or a pull request: its title, and what the user asked for in its turns. */
export function describeSession(
  session: SessionState,
  door: ReadingDoor,
): { subject: string; body: string; message: string } {
  const subject = shorten(firstLine(session.title) || 'Changes by an agent', SUBJECT_CHARS);
  const asked = session.chats.flatMap(({ resource }) => {
    const turns = door.channels.find('chat', resource)?.state.turns ?? [];
    return turns.map((turn) => firstLine(turn.message.text));
  });
  const listed = asked.filter((line) => line !== '').slice(-MAX_LISTED_TURNS);
  const body = listed.map((line) => `- ${shorten(line, SUBJECT_CHARS)}`).join('\n');
  return { subject, body, message: body === '' ? `${subject}\n` : `${subject}\n\n${body}\n` };
}

/** A branch name made from the session's title. */
export function branchName({ title }: SessionState): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const slug = words.slice(0, BRANCH_CHARS).replace(/^-+|-+$/g, '');
  return `moorage/${slug || 'session'}`;
}

/** The first line with content. Lines that start with # are skipped: they would mean nothing in a commit. */
function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !line.startsWith('#')) ?? '';
}

function shorten(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars - 1).trimEnd()}…`;
}
