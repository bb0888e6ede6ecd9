import type {
  AutomationDefinition,
  AutomationDefinitionPatch,
  AutomationEntry,
  AutomationState,
} from '@moorage/protocol';
import { isOver } from '../keeping.js';
import { type Rules, unless } from './verdict.js';

/** Requests that cannot be fulfilled are rejected: what is accepted, the host does in the same tick. */
export const automationRules: Rules<'automation'> = {
  'automation/createRequested': ({ resource, definition }, { state, automationProblem }) =>
    unless(
      badUri(resource) ||
        (find(state, resource) && `there is an automation ${resource} already`) ||
        (state.entries.length >= MAX_AUTOMATIONS && `a host can have ${MAX_AUTOMATIONS} automations`) ||
        automationProblem(definition, 0),
    ),
  'automation/updateRequested': ({ resource, changes }, { state, automationProblem }) => {
    const known = find(state, resource);
    if (!known) return unless(unknown(resource));
    return unless(automationProblem(withChanges(known.definition, changes), known.runCount ?? 0));
  },
  'automation/removed': ({ resource }, { state }) => unless(!find(state, resource) && unknown(resource)),
};

export const automationRunRules: Rules<'automationRun'> = {
  'automationRun/cancelRequested': (_action, { state }) => unless(isOver(state.lifecycle) && 'the run is over'),
};

/** A definition after an update: what a patch does not name stays. */
export function withChanges(
  definition: AutomationDefinition,
  changes: AutomationDefinitionPatch,
): AutomationDefinition {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...definition, ...Object.fromEntries(named) };
}

/** More than people look after; each of them is sent to everybody who looks at the list. */
const MAX_AUTOMATIONS = 200;

const MAX_URI_CHARS = 500;

function badUri(uri: string): string | undefined {
  if (uri.length > MAX_URI_CHARS) return `the URI of an automation can have ${MAX_URI_CHARS} characters`;
  return /^[a-z][a-z0-9+.-]*:\S+$/i.test(uri)
    ? undefined
    : 'expected the URI of a new automation, such as "ahp-automation:/<uuid>"';
}

function find({ entries }: AutomationState, uri: string): AutomationEntry | undefined {
  return entries.find(({ resource }) => resource === uri);
}

function unknown(uri: string): string {
  return `there is no automation ${uri}`;
}
