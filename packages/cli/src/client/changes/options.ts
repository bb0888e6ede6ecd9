import type { Command } from 'commander';

/** Options that choose a changeset, see `selectChangeset`. */
export function withChangesOptions(command: Command): Command {
  return command
    .option('--turn <turn>', 'of one turn: its number (-1 is the last) or the start of its id')
    .option('--session', 'of the whole session')
    .option('--branch', 'of the branch against its base')
    .option('--uncommitted', 'since the last commit')
    .option('--compare <turns...>', 'between two turns');
}
