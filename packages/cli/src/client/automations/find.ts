import type { Client, Mirror } from '@moorage/client';
import { AUTOMATIONS_URI, type AutomationEntry } from '@moorage/protocol';
import { CommandError } from '../errors.js';
import { namedSession } from '../sessions/find.js';

/** The automations of the host. */
export async function openAutomations(client: Client): Promise<Mirror<'automation'>> {
  if (!client.hostInfo.automations) throw new CommandError(NO_AUTOMATIONS);
  return client.subscribe(AUTOMATIONS_URI, { kind: 'automation' });
}

/** The automation that the user named, by its URI or by the start of its id or title. */
export function namedAutomation({ confirmed }: Mirror<'automation'>, wanted: string): AutomationEntry {
  const named = confirmed.entries.map((entry) => ({ entry, resource: entry.resource, title: entry.definition.title }));
  const found = namedSession(named, wanted);
  if (!found) throw new CommandError(`there is no automation "${wanted}"\nList them with: moorage auto ls`);
  return found.entry;
}

const NO_AUTOMATIONS =
  'this host has no automations: it is older than they are, embedded without them, or the gateway of a fleet (name a host: --host GATEWAY/HOST)';
