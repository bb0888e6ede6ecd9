import { randomUUID } from 'node:crypto';
import type { Client, Mirror } from '@moorage/client';
import {
  AUTOMATIONS_URI,
  type AutomationDefinitionPatch,
  type AutomationEntry,
  type AutomationRunLifecycle,
  type AutomationRunSummary,
} from '@moorage/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { type DefinitionOptions, givenDefinition, withDefinition } from '../automations/definition.js';
import { namedAutomation, openAutomations } from '../automations/find.js';
import { printAutomation, printAutomations, printRuns } from '../automations/print.js';
import { type CommonOptions, command } from '../command.js';
import { CommandError, ExitCode } from '../errors.js';
import { withHost } from '../host/open.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { sessionId } from '../sessions/find.js';
import { when } from '../sessions/when.js';
import { readPrompt } from '../turn/read-prompt.js';

export default function autoCommand(): Command {
  const auto = command('auto', 'Begin sessions by schedule, or when something happens, with nobody connected.', [
    'moorage auto add "Morning check" --cron "0 9 * * 1-5" --agent claude "Run the tests and fix what broke"',
    'moorage auto ls                          # what runs when',
    'moorage auto run Morning --wait          # run it now, and wait for the end',
    'moorage auto runs Morning                # what came of it',
  ]);
  auto.enablePositionalOptions();
  for (const child of [ls(), show(), add(), edit(), enable(), disable(), run(), runs(), cancel(), rm()])
    auto.addCommand(child);
  return auto;
}

function ls(): Command {
  return command('ls', 'List the automations of the host.', ['moorage auto ls', 'moorage auto ls --json']).action(
    (options: CommonOptions) =>
      withHost(options, async (client) => {
        const { entries } = (await openAutomations(client)).confirmed;
        if (options.json) return printLine(jsonLine(entries));
        if (entries.length === 0)
          return note('No automations yet. Make one with: moorage auto add TITLE --cron "0 9 * * 1-5" PROMPT');
        printAutomations(entries, Date.now());
      }),
  );
}

function show(): Command {
  return command('show <automation>', 'Show an automation and its newest runs.', ['moorage auto show Morning']).action(
    (wanted: string, options: CommonOptions) =>
      onAutomation(options, wanted, (entry) => {
        if (options.json) printLine(jsonLine(entry));
        else printAutomation(entry, Date.now());
      }),
  );
}

type AddOptions = CommonOptions & DefinitionOptions & { readonly disabled?: boolean };

function add(): Command {
  return withDefinition(
    command('add <title> [prompt...]', 'Make an automation. Without --cron and --on it runs when asked to.', [
      'moorage auto add "Morning check" --cron "0 9 * * 1-5" --zone Europe/Berlin "Run the tests"',
      'moorage auto add "Look at failures" --on turnFailed --on-folder . "Find out why the turn failed"',
      'moorage auto add Release --after-runs 1 --cron "0 6 1 12 *" --worktree - < release.md',
    ]).option('--disabled', 'make it, and do not run it yet'),
  ).action(async (title: string, words: string[], options: AddOptions) => {
    const text = await readPrompt(words);
    await withHost(options, async (client) => {
      const automations = await openAutomations(client);
      const given = await givenDefinition(client, { ...options, folder: options.folder ?? '.' });
      const resource = `ahp-automation:/${randomUUID()}`;
      const message = { text, origin: { kind: 'user' as const } };
      const definition = { title, message, session: {}, enabled: !options.disabled, triggers: [], ...given };
      await automations.dispatch({ type: 'automation/createRequested', resource, definition });
      const entry = await shown(automations, resource);
      if (options.json) return printLine(jsonLine(entry));
      printLine(sessionId(entry));
      if (entry.nextRunAt !== undefined) note(`It runs next at ${plainLine(entry.nextRunAt)}.`);
    });
  });
}

type EditOptions = CommonOptions & DefinitionOptions & { readonly title?: string; readonly forever?: boolean };

function edit(): Command {
  return withDefinition(
    command('edit <automation> [prompt...]', 'Change an automation: what is given replaces what it was.', [
      'moorage auto edit Morning --cron "30 8 * * 1-5"',
      'moorage auto edit Morning --title "Early check" "Run the tests, and the linter"',
      'moorage auto edit Morning --no-trigger           # only when asked to',
    ])
      .option('--title <title>', 'another title')
      .option('--no-trigger', 'start no runs by itself any more')
      .option('--forever', 'without --after-runs and --until'),
  ).action(async (wanted: string, words: string[], options: EditOptions) => {
    const text = words.length > 0 ? await readPrompt(words) : undefined;
    await withHost(options, async (client) => {
      const automations = await openAutomations(client);
      const before = namedAutomation(automations, wanted);
      const { resource, definition } = before;
      const changes: AutomationDefinitionPatch = {
        ...(options.forever && { disableConditions: [] }),
        ...(await givenDefinition(client, options, definition)),
        ...(options.title !== undefined && { title: options.title }),
        ...(text !== undefined && { message: { ...definition.message, text } }),
      };
      if (Object.keys(changes).length === 0)
        throw new UsageError('say what is to change: see moorage auto edit --help');
      await update(automations, resource, changes);
      const entry = await shown(automations, resource, before);
      if (options.json) printLine(jsonLine(entry));
      else printAutomation(entry, Date.now());
    });
  });
}

function enable(): Command {
  return command('enable <automation>', 'Let an automation run again, from now on.', [
    'moorage auto enable Morning',
  ]).action((wanted: string, options: CommonOptions) => switchTo(wanted, options, true));
}

function disable(): Command {
  return command('disable <automation>', 'Start no more runs by itself.', ['moorage auto disable Morning']).action(
    (wanted: string, options: CommonOptions) => switchTo(wanted, options, false),
  );
}

function switchTo(wanted: string, options: CommonOptions, enabled: boolean): Promise<void> {
  return onAutomation(options, wanted, async ({ resource }, automations) => {
    await update(automations, resource, { enabled });
    printLine(options.json ? jsonLine({ automation: resource, enabled }) : enabled ? 'enabled' : 'disabled');
  });
}

function run(): Command {
  return command('run <automation>', 'Run an automation now, enabled or not.', [
    'moorage auto run Morning                 # prints the run',
    'moorage auto run Morning --wait          # exit code 0: completed, 1: failed, 3: cancelled',
  ])
    .option('--wait', 'wait until the run is over')
    .action((wanted: string, options: CommonOptions & { readonly wait?: boolean }) =>
      onAutomation(options, wanted, async ({ resource: automation }, _automations, client) => {
        const { resource } = await client.request('runAutomation', {
          channel: AUTOMATIONS_URI,
          automation,
          requestId: randomUUID(),
        });
        if (!options.json) printLine(sessionId({ resource }));
        if (!options.wait) return options.json ? printLine(jsonLine({ run: resource })) : undefined;
        const channel = await client.subscribe(resource, { kind: 'automationRun' });
        const { lifecycle, primarySession } = await when(channel, (state) =>
          isOver(state.lifecycle) ? state : undefined,
        );
        if (options.json) printLine(jsonLine({ run: resource, lifecycle, primarySession }));
        else note(endOf(lifecycle, primarySession));
        process.exitCode = EXIT_CODES[lifecycle.status] ?? ExitCode.Failed;
      }),
    );
}

function runs(): Command {
  return command('runs <automation>', 'List the runs of an automation, the newest first.', [
    'moorage auto runs Morning',
    'moorage auto runs Morning --all',
  ])
    .option('--all', 'also the older ones that the host has')
    .action((wanted: string, options: CommonOptions & { readonly all?: boolean }) =>
      onAutomation(options, wanted, async (entry, automations, client) => {
        const found = options.all ? await allRuns(client, automations, entry) : entry.runs;
        if (options.json) return printLine(jsonLine(found));
        if (found.length === 0) return note('It has not run yet.');
        printRuns(found, Date.now());
      }),
    );
}

/** Older runs come page by page. */
async function allRuns(
  client: Client,
  automations: Mirror<'automation'>,
  entry: AutomationEntry,
): Promise<AutomationRunSummary[]> {
  let cursor = entry.runsNextCursor;
  while (cursor !== undefined) {
    const asked = cursor;
    await client.request('fetchAutomationRuns', { channel: AUTOMATIONS_URI, automation: entry.resource, cursor });
    cursor = namedAutomation(automations, entry.resource).runsNextCursor;
    if (cursor === asked) break; // the host has nothing to add
  }
  return namedAutomation(automations, entry.resource).runs;
}

function cancel(): Command {
  return command('cancel <automation>', 'Cancel the runs of an automation that are under way.', [
    'moorage auto cancel Morning',
  ]).action((wanted: string, options: CommonOptions) =>
    onAutomation(options, wanted, async (entry, automations, client) => {
      const open = (await allRuns(client, automations, entry)).filter(({ lifecycle }) => !isOver(lifecycle));
      if (open.length === 0) throw new CommandError('nothing of it is running');
      for (const { resource } of open) {
        const channel = await client.subscribe(resource, { kind: 'automationRun' });
        await channel.dispatch({ type: 'automationRun/cancelRequested' });
      }
      const cancelled = open.map(({ resource }) => resource);
      printLine(
        options.json
          ? jsonLine({ cancelled })
          : `cancelled ${cancelled.length === 1 ? 'one run' : `${cancelled.length} runs`}`,
      );
    }),
  );
}

function rm(): Command {
  return command('rm <automation>', 'Remove an automation and its history; sessions that it began stay.', [
    'moorage auto rm Morning',
  ]).action((wanted: string, options: CommonOptions) =>
    onAutomation(options, wanted, async ({ resource, definition }, automations) => {
      await automations.dispatch({ type: 'automation/removed', resource });
      printLine(options.json ? jsonLine({ removed: resource }) : `removed ${plainLine(definition.title)}`);
    }),
  );
}

function onAutomation(
  options: CommonOptions,
  wanted: string,
  work: (entry: AutomationEntry, automations: Mirror<'automation'>, client: Client) => void | Promise<void>,
): Promise<void> {
  return withHost(options, async (client) => {
    const automations = await openAutomations(client);
    await work(namedAutomation(automations, wanted), automations, client);
  });
}

function update(automations: Mirror<'automation'>, resource: string, changes: AutomationDefinitionPatch) {
  return automations.dispatch({ type: 'automation/updateRequested', resource, changes });
}

/** What the host made of a request: it sets that right after it has accepted. */
function shown(
  automations: Mirror<'automation'>,
  resource: string,
  before?: AutomationEntry,
): Promise<AutomationEntry> {
  return when(automations, ({ entries }) => entries.find((entry) => entry.resource === resource && entry !== before));
}

function isOver({ status }: AutomationRunLifecycle): boolean {
  return status !== 'pending' && status !== 'running';
}

function endOf(lifecycle: AutomationRunLifecycle, session: string | undefined): string {
  const why = lifecycle.status === 'failed' ? `: ${plainLine(lifecycle.error.message)}` : '';
  const where =
    session === undefined ? '' : `; see it with: moorage log ${sessionId({ resource: session }).slice(0, 8)}`;
  return `${lifecycle.status}${why}${where}`;
}

const EXIT_CODES: Partial<Record<AutomationRunLifecycle['status'], number>> = {
  completed: ExitCode.Done,
  failed: ExitCode.Failed,
  cancelled: ExitCode.Cancelled,
};
