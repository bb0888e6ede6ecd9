import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { agentStates } from '../host/agent-states.js';
import { withHost } from '../host/open.js';
import { colour, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';

interface AgentsOptions extends CommonOptions {
  readonly check?: boolean;
}

export default function agentsCommand(): Command {
  return command('agents', 'List the agents of the host, their models, and what those that cannot be used need.', [
    'moorage agents',
    'moorage agents --check           # start those that were never used, to see whether they are logged in',
    'moorage agents --json',
  ])
    .option('--check', 'try those that were never used; takes some seconds')
    .action(async (options: AgentsOptions) => {
      await withHost(options, async (client) => {
        const states = await withProgress('looking at agents', agentStates(client, options.check === true));
        if (options.json) return printLine(jsonLine(states));
        for (const { provider, displayName, state, description, command, models } of states) {
          const paint = state === 'ready' ? colour.green : state === 'not installed' ? colour.dim : colour.yellow;
          const about = description === '' ? displayName : `${displayName}: ${description}`;
          printLine(`${colour.bold(plainLine(provider).padEnd(10))} ${paint(state.padEnd(13))}  ${plainLine(about)}`);
          if (command !== undefined) printLine(`  ${colour.cyan(plainLine(command))}`);
          for (const { id, name } of models) printLine(`  ${plainLine(id)}  ${colour.dim(plainLine(name))}`);
        }
      });
    });
}
