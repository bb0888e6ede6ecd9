import type { Command } from 'commander';

/** A command, with what can be completed after it. */
export interface CompletionEntry {
  /** The words that lead to it: `host start`. */
  readonly path: string;
  readonly summary: string;
  readonly options: readonly { readonly flag: string; readonly description: string }[];
  readonly children: readonly { readonly name: string; readonly summary: string }[];
  /** If its first argument is a session or an automation: the `moorage` command that lists the candidates. */
  readonly sessions: string | undefined;
}

/** Describes a program and all its commands. */
export function describe(program: Command): CompletionEntry[] {
  return entries(program, []);
}

function entries(command: Command, path: readonly string[]): CompletionEntry[] {
  const children = command.commands.map((child) => ({ name: child.name(), summary: summaryOf(child) }));
  const options = [...command.options.filter(({ hidden }) => !hidden), HELP].flatMap(({ long, description }) =>
    long ? [{ flag: long, description: description ?? '' }] : [],
  );
  const [first] = command.registeredArguments;
  const sessions = SESSION_LISTS[first?.name() ?? ''];
  const own = { path: path.join(' '), summary: summaryOf(command), options, children, sessions };
  return [own, ...command.commands.flatMap((child) => entries(child, [...path, child.name()]))];
}

/** How to list what an argument can be, by its name. */
const SESSION_LISTS: Readonly<Record<string, string>> = {
  session: 'ls --all',
  'removed-session': 'restore',
  automation: 'auto ls',
};

const HELP = { long: '--help', description: 'print help' };

function summaryOf(command: Command): string {
  return command.summary() || command.description();
}
