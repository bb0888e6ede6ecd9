import { activityOf, type ChatState, ROOT_URI, SessionStatus } from '@moorage/protocol';
import { expect } from 'vitest';
import { PATIENT } from '../actions.js';
import type { WireClient } from '../wire-client.js';

/**
 * After a restart a turn either waits for the user or ends, and nothing in it is still open. What was queued behind a complete turn
 * goes on by itself; one that the death cut off would never end.
 */
export async function expectSettled(client: WireClient, uri: string): Promise<void> {
  const look = () => client.subscribe<ChatState>(uri);
  const isOver = ({ activeTurn, status }: ChatState) =>
    activeTurn === undefined || activityOf(status) === SessionStatus.InputNeeded;
  await expect
    .poll(async () => isOver(await look()), { ...PATIENT, message: `${uri} is still in progress` })
    .toBe(true);
  for (const turn of (await look()).turns) {
    for (const part of turn.responseParts) {
      if (part.kind === 'toolCall') expect(['completed', 'cancelled']).toContain(part.toolCall.status);
    }
  }
}

/** What a client sees in the list, without opening anything. */
export async function expectListSettled(client: WireClient): Promise<void> {
  const inProgress = async () => {
    const { items } = await client.request('listSessions', { channel: ROOT_URI });
    return items.filter(({ status }) => activityOf(status) === SessionStatus.InProgress);
  };
  await expect.poll(inProgress, PATIENT).toEqual([]);
}
