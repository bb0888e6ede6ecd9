import type { Client } from '@moorage/client';
import type {
  AutomationDefinition,
  AutomationDisableCondition,
  AutomationMisfirePolicy,
  AutomationTrigger,
} from '@moorage/protocol';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { collect } from '../../option-values.js';
import { UsageError } from '../../usage-error.js';
import { positiveNumber } from '../command.js';
import { CommandError } from '../errors.js';
import { folderUri } from '../sessions/find.js';
import { type Settings, sessionConfig, withSettings } from '../sessions/settings.js';

/** What an automation does and when, as it is given on the command line. */
export interface DefinitionOptions extends Settings {
  readonly cron?: readonly string[];
  readonly zone?: string;
  readonly missed?: 'run' | 'skip';
  readonly on?: readonly string[];
  readonly onFolder?: string;
  readonly trigger?: boolean;
  readonly folder?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly afterRuns?: number;
  readonly until?: string;
}

export function withDefinition(command: Command): Command {
  command
    .option('--cron <expression>', 'when to run: minute, hour, day, month, day of the week; repeatable', collect)
    .option(
      '--zone <name>',
      'the time zone that --cron counts in, such as Europe/Berlin (default: that of this machine)',
    )
    .addOption(
      new Option(
        '--missed <policy>',
        'what becomes of runs that were due while the host did not run: one run for all of them, or none',
      ).choices(['run', 'skip']),
    )
    .option('--on <event>', 'run when this happens: turnEnded, turnFailed or inputNeeded; repeatable', collect)
    .option('--on-folder <folder>', 'with --on: only in sessions of this folder')
    .option('-C, --folder <folder>', 'the folder its sessions work in')
    .option('-a, --agent <name>', 'which agent (moorage agents lists them)')
    .option('-m, --model <id>', 'which model of the agent')
    .option('--after-runs <number>', 'disable it after so many runs', positiveNumber)
    .option('--until <time>', 'disable it at this time, such as 2027-01-31 or 2027-01-31T18:00:00Z', isoTime);
  return withSettings(command);
}

/** The members of a definition that the options give; those that they do not give are left out. */
export async function givenDefinition(
  client: Client,
  options: DefinitionOptions,
  before?: AutomationDefinition,
): Promise<Partial<AutomationDefinition>> {
  const triggers = await givenTriggers(client, options);
  const session = await givenSession(client, options, before);
  const conditions = givenConditions(options);
  return {
    ...(triggers && { triggers }),
    ...(session && { session }),
    ...(conditions.length > 0 && { disableConditions: conditions }),
  };
}

async function givenTriggers(client: Client, options: DefinitionOptions): Promise<AutomationTrigger[] | undefined> {
  const { cron, on, zone = localZone(), missed, onFolder, trigger } = options;
  if (trigger === false) return [];
  if (!cron && !on) {
    if (missed !== undefined || options.zone !== undefined)
      throw new UsageError('--zone and --missed are for --cron: give it, too');
    if (onFolder !== undefined) throw new UsageError('--on-folder is for --on: give it, too');
    return undefined;
  }
  const misfirePolicy: AutomationMisfirePolicy = missed === 'skip' ? 'skip' : 'runOnce';
  const schedules = (cron ?? []).map((expression, index): AutomationTrigger => {
    return { id: `schedule-${index + 1}`, kind: 'schedule', schedule: { expression, timeZone: zone }, misfirePolicy };
  });
  return on ? [...schedules, await eventTrigger(client, on, onFolder)] : schedules;
}

async function eventTrigger(client: Client, wanted: readonly string[], folder?: string): Promise<AutomationTrigger> {
  const { items } = await client.request('listAutomationTriggerDefinitions', {});
  for (const { type, title, description, events } of items) {
    const chosen = wanted.flatMap((id) => events.find((event) => event.id === id) ?? []);
    if (chosen.length < wanted.length) continue;
    const config = folder === undefined ? {} : { config: { workingDirectory: folderUri(folder) } };
    return {
      id: 'events',
      kind: 'event',
      type,
      title,
      ...(description !== undefined && { description }),
      events: chosen,
      ...config,
    };
  }
  const known = items.flatMap(({ events }) => events.map(({ id }) => id));
  throw new CommandError(`the host cannot react to ${wanted.join(' and ')}; it can to: ${known.join(', ')}`);
}

async function givenSession(client: Client, options: DefinitionOptions, before: AutomationDefinition | undefined) {
  const { folder, agent, model } = options;
  const uri = folder === undefined ? before?.session.workingDirectories?.[0] : folderUri(folder);
  const provider = agent ?? before?.session.provider;
  const place = { workingDirectory: uri ?? folderUri('.'), ...(provider !== undefined && { provider }) };
  const config = await sessionConfig(client, place, options);
  if (before && folder === undefined && agent === undefined && model === undefined && !config) return undefined;
  return {
    ...before?.session,
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model: { id: model } }),
    ...(uri !== undefined && { workingDirectories: [uri] }),
    ...(config && { config: { ...before?.session.config, ...config } }),
  };
}

function givenConditions({ afterRuns, until }: DefinitionOptions): AutomationDisableCondition[] {
  return [
    ...(afterRuns === undefined ? [] : [{ kind: 'afterRuns' as const, max: afterRuns }]),
    ...(until === undefined ? [] : [{ kind: 'afterDate' as const, date: until }]),
  ];
}

function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function isoTime(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time) || !/^\d{4}-\d\d-\d\d/.test(text))
    throw new InvalidArgumentError('expected a time such as 2027-01-31');
  return new Date(time).toISOString();
}
