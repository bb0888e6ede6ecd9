import type { ActionEnvelope, SessionState, StateAction } from '@moorage/protocol';

/** An envelope in the log. That of a change of the active client also has the id of the one that was active before. */
export type LoggedEnvelope = ActionEnvelope & { readonly previousClient?: string };

/**
 * The text of an envelope for the log. Who was active before is not in the action, but a replay to clients of 0.5 needs it:
 * there a client that leaves is named.
 */
export function withPreviousClient(envelope: string, action: StateAction, before: unknown): string {
  if (action.type !== 'session/activeClientChanged') return envelope;
  const previous = (before as SessionState).activeClient?.clientId;
  return previous === undefined ? envelope : `${envelope.slice(0, -1)},"previousClient":${JSON.stringify(previous)}}`;
}

/** Envelopes of the log, as texts joined by commas, in the form in which they were sent. */
export function withoutPreviousClients(envelopes: string): string {
  if (!envelopes.includes('"previousClient":')) return envelopes;
  const logged = JSON.parse(`[${envelopes}]`) as LoggedEnvelope[];
  return logged.map(({ previousClient: _, ...envelope }) => JSON.stringify(envelope)).join(',');
}
