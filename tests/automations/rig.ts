import {
  AUTOMATIONS_URI,
  type AutomationDefinition,
  type AutomationEntry,
  type AutomationState,
} from '@moorage/protocol';
import { accepted } from '../support/actions.js';
import { userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const ofAutomations = { channel: AUTOMATIONS_URI } as const;

/** A new automation that says hi, accepted by the host. */
export async function created(client: WireClient, over: Partial<AutomationDefinition> = {}): Promise<string> {
  const resource = `ahp-automation:/${crypto.randomUUID()}`;
  await client.subscribe(AUTOMATIONS_URI);
  await accepted(client, AUTOMATIONS_URI, {
    type: 'automation/createRequested',
    resource,
    definition: definition(over),
  });
  return resource;
}

export function definition(over: Partial<AutomationDefinition> = {}): AutomationDefinition {
  return {
    title: 'Say hi',
    message: userMessage('/say hi'),
    session: { provider: 'demo' },
    enabled: true,
    triggers: [],
    ...over,
  };
}

export function schedule(expression: string, misfirePolicy?: 'skip' | 'runOnce', timeZone = 'UTC') {
  return {
    id: expression,
    kind: 'schedule' as const,
    schedule: { expression, timeZone },
    ...(misfirePolicy && { misfirePolicy }),
  };
}

export function onSessions(...ids: string[]) {
  const events = ids.map((id) => ({ id, title: id }));
  return { id: 'event', kind: 'event' as const, type: 'moorage.session', title: 'Sessions', events };
}

export async function shown(client: WireClient, automation: string): Promise<AutomationEntry> {
  const { entries } = await client.subscribe<AutomationState>(AUTOMATIONS_URI);
  const entry = entries.find(({ resource }) => resource === automation);
  if (!entry) throw new Error(`there is no ${automation}`);
  return entry;
}

/** Waits until an automation shows something. */
export async function when<T>(
  client: WireClient,
  automation: string,
  find: (entry: AutomationEntry) => T | undefined | false,
): Promise<T> {
  for (;;) {
    const heard = client.received.length;
    const found = find(await shown(client, automation));
    if (found) return found;
    await client.until(() => (client.received.length > heard ? true : undefined), 'a change');
  }
}

/** The statuses of the runs that are shown, the newest first. */
export function statuses({ runs }: AutomationEntry): string[] {
  return runs.map(({ lifecycle }) => lifecycle.status);
}
