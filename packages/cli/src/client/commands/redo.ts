import type { Command } from 'commander';
import { changeStep, type HistoryOptions, historyOf, namedStep } from '../changes/history.js';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine, plainLine, sentence } from '../output/plain.js';

export default function redoCommand(): Command {
  return command('redo [step]', 'Do again what was undone in this folder: the last undo, or that of a step.', [
    'moorage redo',
    'moorage redo 9c41d2 --file src/main.ts',
  ])
    .option('--folder <path>', 'in this folder instead of the current one')
    .option('--file <path>', 'only this file of the step')
    .action(async (wanted: string | undefined, options: CommonOptions & HistoryOptions) => {
      await withHost(options, async (client) => {
        const steps = wanted === undefined ? [] : await historyOf(client, options);
        const step = wanted === undefined ? undefined : namedStep(steps ?? [], wanted);
        if (wanted !== undefined && !step)
          throw new CommandError(`there is no step "${plainLine(wanted)}"\nList them with: moorage undo --list`);
        const result = await changeStep(client, 'moorage/redoHistoryStep', step?.id, options);
        printLine(options.json ? jsonLine(result) : sentence(plainLine(result.message)));
      });
    });
}
