import type { AutomationEventTrigger, AutomationTriggerDefinition, SessionState, URI } from '@moorage/protocol';

/** What happens in sessions, by the ids of `SESSION_EVENTS`. */
type SessionEventId = 'turnEnded' | 'turnFailed' | 'inputNeeded';

/** Something that happened in a session that a user works in. */
export interface SessionEvent {
  readonly id: SessionEventId;
  readonly session: URI;
  readonly chat: URI;
  readonly turnId?: string;
}

/** What this host can react to. */
export const SESSION_EVENTS = {
  type: 'moorage.session',
  title: 'Sessions',
  description: 'What happens in sessions that users work in. Sessions that an automation began count not.',
  events: [
    { id: 'turnEnded', title: 'A turn ended', description: 'An agent has answered.' },
    { id: 'turnFailed', title: 'A turn failed', description: 'An agent has stopped with an error.' },
    { id: 'inputNeeded', title: 'Somebody is needed', description: 'An agent waits for an approval or an answer.' },
  ],
  configSchema: {
    type: 'object',
    properties: {
      workingDirectory: {
        type: 'string',
        title: 'Folder',
        description: 'The URI of a folder: only sessions that work there count.',
      },
      session: {
        type: 'string',
        title: 'Session',
        description: 'The URI of a session: only what happens there counts.',
      },
    },
  },
} satisfies AutomationTriggerDefinition;

/** What is wrong with a trigger; undefined if this host can react to it. */
export function eventTriggerProblem({ type, events, config = {} }: AutomationEventTrigger): string | undefined {
  if (type !== SESSION_EVENTS.type)
    return `this host knows no events of the type "${type}", only "${SESSION_EVENTS.type}"`;
  if (events.length === 0) return 'an event trigger needs an event';
  const unknown = events.find(({ id }) => !SESSION_EVENTS.events.some((known) => known.id === id));
  if (unknown)
    return `there is no event "${unknown.id}": expected ${SESSION_EVENTS.events.map(({ id }) => id).join(', ')}`;
  const names = Object.keys(SESSION_EVENTS.configSchema.properties);
  const strange = Object.keys(config).find((name) => !names.includes(name));
  if (strange !== undefined) return `there is no setting "${strange}" of these events: expected ${names.join(' or ')}`;
  const wrong = Object.entries(config).find(([, value]) => typeof value !== 'string');
  return wrong && `"${wrong[0]}" must be a text`;
}

/** Whether a trigger waits for what happened. */
export function isWaitingFor(trigger: AutomationEventTrigger, event: SessionEvent, session: SessionState): boolean {
  const { events, config = {} } = trigger;
  const { workingDirectory, session: only } = config;
  return (
    events.some(({ id }) => id === event.id) &&
    (only === undefined || only === event.session) &&
    (workingDirectory === undefined || (session.workingDirectories ?? []).some((uri) => isSame(uri, workingDirectory)))
  );
}

function isSame(uri: URI, other: unknown): boolean {
  return typeof other === 'string' && uri.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}
