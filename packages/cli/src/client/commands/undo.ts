import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { changeStep, type HistoryOptions, historyOf, namedStep, printHistory, removedBy } from '../changes/history.js';
import { type OperateOptions, operate } from '../changes/operate.js';
import { withChangesOptions } from '../changes/options.js';
import { command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine, plainLine, sentence } from '../output/plain.js';

interface UndoOptions extends Omit<OperateOptions, 'file'>, HistoryOptions {
  readonly list?: boolean;
  readonly print?: boolean;
}

export default function undoCommand(): Command {
  const undo = command(
    'undo [step-or-session]',
    'Undo the last or any other step of what was done to the changes in this folder, or the last operation of a session.',
    [
      'moorage undo                             # the last thing that was done to changes in this folder',
      'moorage undo --list                      # what was done here, by anyone, and what of it is undone',
      'moorage undo 9c41d2                      # this step; what a later change is in the way of is named',
      'moorage undo 9c41d2 --file src/main.ts --hunk 2',
      'moorage undo 9c41d2 --file notes.md --print > notes.md',
      'moorage undo 4f2a --uncommitted          # the last operation on these changes of a session',
    ],
  );
  return withChangesOptions(undo)
    .option('--list', 'show the history of the folder')
    .option('--folder <path>', 'of this folder instead of the current one')
    .option('--file <path>', 'only this file of the step')
    .option('--hunk <number...>', 'only these hunks of the file')
    .option('--print', 'change nothing: print what the file had before the step')
    .option('-y, --yes', 'do not ask')
    .action(async (wanted: string | undefined, options: UndoOptions) => {
      if (options.list) return list(options);
      if (wanted === undefined && !namesChanges(options) && (await undoNewest(options))) return;
      if (await isStep(wanted, options)) return;
      if (options.file !== undefined || options.print || options.hunk)
        throw new UsageError('name a step: moorage undo --list shows them');
      const { file: _, ...others } = options;
      await operate('undo', wanted, others, 'session');
    });
}

/** Whether the options choose the changes of a session. */
function namesChanges({ turn, session, branch, uncommitted, compare }: UndoOptions): boolean {
  return [turn, session, branch, uncommitted, compare].some((option) => option !== undefined);
}

/** False if there is nothing to undo in the folder itself: a session of it may work in a tree of its own. */
async function undoNewest(options: UndoOptions): Promise<boolean> {
  let isDone = false;
  await withHost(options, async (client) => {
    const steps = (await historyOf(client, options).catch(() => undefined)) ?? [];
    if (!steps.some(({ undoes, undone }) => undoes === undefined && undone !== 'all')) return;
    isDone = true;
    const result = await changeStep(client, 'moorage/undoHistoryStep', undefined, options);
    printLine(options.json ? jsonLine(result) : sentence(plainLine(result.message)));
  });
  return isDone;
}

async function list(options: UndoOptions): Promise<void> {
  await withHost(options, async (client) => {
    const steps = await historyOf(client, options);
    if (!steps) throw new CommandError('this host keeps no history of what was done');
    if (options.json) printLine(jsonLine(steps));
    else printHistory(steps);
  });
}

/** Undoes the step that is named, if one is. */
async function isStep(wanted: string | undefined, options: UndoOptions): Promise<boolean> {
  if (wanted === undefined) return false;
  let isDone = false;
  await withHost(options, async (client) => {
    const step = namedStep((await historyOf(client, options).catch(() => undefined)) ?? [], wanted);
    if (!step) return;
    isDone = true;
    if (options.print) return void process.stdout.write(await removedBy(client, step, options));
    const result = await changeStep(client, 'moorage/undoHistoryStep', step.id, options);
    printLine(options.json ? jsonLine(result) : sentence(plainLine(result.message)));
  });
  return isDone;
}
