import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { withHost } from '../host/open.js';
import { colour, note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';

export default function agentsCommand(): Command {
  return command('agents', 'List the agents of the host and their models.', [
    'moorage agents',
    'moorage agents --json',
  ]).action(async (options: CommonOptions) => {
    await withHost(options, async (client) => {
      const { agents } = (await client.root()).confirmed;
      if (options.json) return printLine(jsonLine(agents));
      if (agents.length === 0) note('The host has no agents: name some in its configuration.');
      for (const { provider, displayName, description, models } of agents) {
        printLine(`${colour.bold(plainLine(provider))}  ${plainLine(displayName)}: ${plainLine(description)}`);
        for (const { id, name } of models) printLine(`  ${plainLine(id)}  ${colour.dim(plainLine(name))}`);
      }
    });
  });
}
