import type {
  AutomationDefinition,
  AutomationDisableCondition,
  AutomationScheduleTrigger,
  AutomationTrigger,
  AutomationTriggerDefinition,
} from '@moorage/protocol';

/** What the form shows of a definition. What it does not show stays as it is. */
export interface FormValues {
  readonly title: string;
  readonly text: string;
  readonly when: 'request' | 'schedule' | 'event';
  readonly expression: string;
  readonly timeZone: string;
  readonly skipsMissed: boolean;
  readonly events: readonly string[];
  readonly provider: string;
  readonly folder: string;
  /** A number, or empty. */
  readonly afterRuns: string;
}

export function valuesOf(definition: AutomationDefinition | undefined, folder: string): FormValues {
  const { title = '', message, session, triggers = [], disableConditions = [] } = definition ?? {};
  const schedule = triggers.find(isSchedule);
  const event = triggers.find((trigger) => trigger.kind === 'event');
  const limit = disableConditions.find(({ kind }) => kind === 'afterRuns');
  return {
    title,
    text: message?.text ?? '',
    when: event ? 'event' : schedule || !definition ? 'schedule' : 'request',
    expression: schedule?.schedule.expression ?? '0 9 * * 1-5',
    timeZone: schedule?.schedule.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    skipsMissed: schedule?.misfirePolicy === 'skip',
    events: event?.events.map(({ id }) => id) ?? [],
    provider: session?.provider ?? '',
    folder: definition ? (session?.workingDirectories?.[0] ?? '') : folder,
    afterRuns: limit?.kind === 'afterRuns' ? String(limit.max) : '',
  };
}

export function definitionOf(
  values: FormValues,
  before: AutomationDefinition | undefined,
  known: readonly AutomationTriggerDefinition[],
): AutomationDefinition {
  const { title, text, provider, folder } = values;
  const { provider: _provider, workingDirectories = [], ...session } = before?.session ?? {};
  return {
    ...before,
    enabled: before?.enabled ?? true,
    title: title.trim(),
    message: { ...before?.message, text, origin: { kind: 'user' } },
    session: {
      ...session,
      ...(provider !== '' && { provider }),
      ...(folder !== '' && { workingDirectories: [folder, ...workingDirectories.slice(1)] }),
    },
    triggers: triggersOf(values, before, known),
    disableConditions: conditionsOf(values, before),
  };
}

/** The form has one schedule, or one trigger for events; further schedules stay. */
function triggersOf(
  { when, expression, timeZone, skipsMissed, events }: FormValues,
  before: AutomationDefinition | undefined,
  known: readonly AutomationTriggerDefinition[],
): AutomationTrigger[] {
  if (when === 'request') return [];
  if (when === 'event') {
    const [definition] = known;
    if (!definition) return [];
    const { type, title, description } = definition;
    const chosen = definition.events.filter(({ id }) => events.includes(id));
    const earlier = before?.triggers.find((trigger) => trigger.kind === 'event');
    const config = earlier?.kind === 'event' && earlier.config ? { config: earlier.config } : {};
    return [
      {
        id: 'events',
        kind: 'event',
        type,
        title,
        ...(description !== undefined && { description }),
        events: chosen,
        ...config,
      },
    ];
  }
  const [first, ...others] = (before?.triggers ?? []).filter(isSchedule);
  const schedule: AutomationScheduleTrigger = {
    id: first?.id ?? 'schedule-1',
    kind: 'schedule',
    schedule: { expression: expression.trim(), timeZone },
    misfirePolicy: skipsMissed ? 'skip' : 'runOnce',
  };
  return [schedule, ...others];
}

function conditionsOf(
  { afterRuns }: FormValues,
  before: AutomationDefinition | undefined,
): AutomationDisableCondition[] {
  const others = (before?.disableConditions ?? []).filter(({ kind }) => kind !== 'afterRuns');
  return afterRuns === '' ? others : [...others, { kind: 'afterRuns', max: Number(afterRuns) }];
}

function isSchedule(trigger: AutomationTrigger): trigger is AutomationScheduleTrigger {
  return trigger.kind === 'schedule';
}
