import { basename } from 'node:path';
import { type Fields, fields, text } from '../shared/untrusted.js';

/** What a known program does differently from what ACP says. */
export interface Habits {
  /** Answers `session/load` before it repeats the conversation, so that nobody can tell where the new turn begins. */
  readonly replaysLate?: boolean;
  /** Reports the tokens of the whole session with every turn. */
  readonly countsWholeSession?: boolean;
  /** Rejects MCP servers that are programs, and takes only those with an address. */
  readonly takesNoPrograms?: boolean;
}

const HABITS: Readonly<Record<string, Habits>> = {
  gemini: { replaysLate: true },
  'gemini-cli': { replaysLate: true },
  copilot: { countsWholeSession: true, takesNoPrograms: true },
};

/** By the name in the agent's answer to `initialize`, else by its program. */
export function habitsOf(command: string, answer: Fields): Habits {
  const names = [text(fields(answer.agentInfo).name) ?? '', basename(command)].map((name) => name.toLowerCase());
  const known = names.find((name) => Object.hasOwn(HABITS, name));
  return (known !== undefined && HABITS[known]) || {};
}
