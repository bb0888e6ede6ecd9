import { setTimeout as pause } from 'node:timers/promises';
import { fields, text } from '../../shared/untrusted.js';
import type { LiveAgent } from './live-agent.js';
import { type SessionUpdates, titleInList } from './session-updates.js';

/** Pages of an agent's list that are read: the session that was just used is among the first. */
const MAX_PAGES = 5;

/** Milliseconds to wait before each look at the list: some agents ask their model for a title after the turn. */
const WHEN_MS = [0, 2_000, 10_000];

export interface TitleSearch {
  readonly live: LiveAgent;
  readonly sessionId: string;
  readonly cwd: string;
  readonly updates: SessionUpdates;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Looks up what an agent calls a session that it has not named by itself. It does not matter if this fails. */
export async function findTitle({ live, sessionId, cwd, updates, timeoutMs, signal }: TitleSearch): Promise<void> {
  if (!live.canList) return;
  for (const wait of WHEN_MS) {
    await pause(wait, undefined, { signal, ref: false });
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES && !updates.isNamed && !signal.aborted; page++) {
      const answer = await live.request('session/list', { cwd, ...(cursor && { cursor }) }, timeoutMs);
      if (signal.aborted) return;
      updates.name(titleInList(answer, sessionId));
      cursor = text(fields(answer).nextCursor);
      if (!cursor) break;
    }
    if (updates.isNamed || signal.aborted) return;
  }
}
