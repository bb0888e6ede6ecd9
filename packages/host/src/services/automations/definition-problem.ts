import type { AutomationDefinition, AutomationDisableCondition, AutomationTrigger } from '@moorage/protocol';
import { eventTriggerProblem } from './events.js';
import { MAX_CONDITIONS, MAX_DEFINITION_CHARS, MAX_TITLE_CHARS, MAX_TRIGGERS, MAX_WORD_CHARS } from './limits.js';
import { scheduleProblem } from './schedule.js';

/** Why an automation cannot be like this, apart from its sessions; undefined if it can. */
export function definitionProblem(definition: AutomationDefinition, runCount: number, now: number): string | undefined {
  const { title, message, session, enabled, triggers, disableConditions = [] } = definition;
  if (JSON.stringify(definition).length > MAX_DEFINITION_CHARS)
    return `an automation can have ${MAX_DEFINITION_CHARS} characters: put long text into a file`;
  if (title.trim() === '' || title.length > MAX_TITLE_CHARS)
    return `an automation needs a title, of at most ${MAX_TITLE_CHARS} characters`;
  if (message.text.trim() === '') return 'an automation needs a message to begin its sessions with';
  if (session.customizations?.length) return 'this host gives sessions of automations no plugins of clients';
  if (triggers.length > MAX_TRIGGERS) return `an automation can have ${MAX_TRIGGERS} triggers`;
  if (new Set(triggers.map(({ id }) => id)).size < triggers.length) return 'two triggers have the same id';
  if (disableConditions.length > MAX_CONDITIONS) return `an automation can have ${MAX_CONDITIONS} conditions`;
  const problems = [
    ...triggers.map((trigger) => triggerProblem(trigger, now)),
    ...disableConditions.map(conditionProblem),
    enabled ? whyOver(definition, runCount, now) : undefined,
  ];
  return problems.find((problem) => problem !== undefined);
}

/** Why an automation is to run no more; undefined while it is. */
export function whyOver(
  { disableConditions = [] }: AutomationDefinition,
  runCount: number,
  now: number,
): string | undefined {
  for (const condition of disableConditions) {
    if (condition.kind === 'afterRuns' && runCount >= condition.max) return `It has had ${times(condition.max)}.`;
    if (condition.kind === 'afterDate' && now >= Date.parse(condition.date))
      return `It was to end on ${condition.date}.`;
  }
  return undefined;
}

function times(count: number): string {
  return count === 1 ? 'the one run that it was to have' : `the ${count} runs that it was to have`;
}

function triggerProblem(trigger: AutomationTrigger, now: number): string | undefined {
  if (trigger.id === '' || trigger.id.length > MAX_WORD_CHARS)
    return `a trigger needs an id, of at most ${MAX_WORD_CHARS} characters`;
  return trigger.kind === 'schedule' ? scheduleProblem(trigger.schedule, now) : eventTriggerProblem(trigger);
}

function conditionProblem(condition: AutomationDisableCondition): string | undefined {
  if (condition.kind === 'afterRuns') return condition.max >= 1 ? undefined : 'an automation has at least one run';
  return Number.isNaN(Date.parse(condition.date)) ? `"${condition.date}" is no date: expected an ISO time` : undefined;
}
