import { activityOf, type ChatState, ROOT_URI, SessionStatus } from '@ahpd/protocol';
import { expect } from 'vitest';
import type { WireClient } from '../wire-client.js';

/** After a restart a turn either waits for the user or has ended, and nothing in it is still open. */
export function expectSettled(chat: ChatState): void {
  const turnIsOver = chat.activeTurn === undefined || activityOf(chat.status) === SessionStatus.InputNeeded;
  expect(turnIsOver, `${chat.resource} is still in progress`).toBe(true);
  for (const turn of chat.turns) {
    for (const part of turn.responseParts) {
      if (part.kind === 'toolCall') expect(['completed', 'cancelled']).toContain(part.toolCall.status);
    }
  }
}

/** What a client sees in the list, without opening anything. */
export async function expectListSettled(client: WireClient): Promise<void> {
  const { items } = await client.request('listSessions', { channel: ROOT_URI });
  expect(items.filter(({ status }) => activityOf(status) === SessionStatus.InProgress)).toEqual([]);
}
