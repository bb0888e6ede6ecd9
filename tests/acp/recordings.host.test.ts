import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StateAction } from '@moorage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeActions } from '../../packages/host/src/core/merge-envelopes.js';
import { replay } from '../support/acp-replay.js';
import { callsOf, chatState, startTurn, turnEnd } from '../support/actions.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const FIXTURES = fileURLToPath(new URL('../fixtures/acp/', import.meta.url));

let host: TestHost;
let client: WireClient;
let file = '';
beforeAll(async () => {
  const agent = testAgent({
    prompt: (turn, { chat }) =>
      replay(file, turn, {
        decide: (toolCallId, result) => {
          const { outcome } = result as { outcome: { outcome: string; optionId: string } };
          if (outcome.outcome !== 'selected') return;
          const isYes = /allow|once|proceed/.test(outcome.optionId) && !outcome.optionId.startsWith('reject');
          const choice = { turnId: turn.turnId, toolCallId, selectedOptionId: outcome.optionId };
          const yes = { approved: true, confirmed: 'user-action' };
          const no = { approved: false, reason: 'denied' };
          client.dispatch(chat, { type: 'chat/toolCallConfirmed', ...choice, ...(isYes ? yes : no) });
        },
        answer: (requestId, result) => {
          const { content } = result as { content: Record<string, string> };
          const key = 'question_0' in content ? 'question_0' : 'colour';
          const value = { kind: 'selected', value: content[key] };
          const answers = { [key]: { state: 'submitted', value } };
          client.dispatch(chat, { type: 'chat/inputCompleted', requestId, response: 'accept', answers });
        },
        cancel: () => client.dispatch(chat, { type: 'chat/turnCancelled', duration: 0, turnId: turn.turnId }),
      }),
  });
  host = await TestHost.start({ agents: [agent] });
  client = await host.client();
});
afterAll(() => host.dispose());

/**
 * One line per action, without the turn's id and how long calls took, and with the pieces of one text together: a recording is
 * not played at the pace it had.
 */
function told(chat: string, turnId: string): string {
  const actions = joined(
    client.actionsOn(chat).filter(({ type }) => type !== 'chat/activityChanged'), // it only says in words what the others do
  ).map((action) => JSON.stringify(action, withoutDurations).replaceAll(turnId, 'TURN'));
  return `${actions.join('\n')}\n`;
}

function joined(actions: readonly StateAction[]): StateAction[] {
  const result: StateAction[] = [];
  for (const action of actions) {
    const last = result.at(-1);
    const merged = last && mergeActions(last, action);
    if (merged) result[result.length - 1] = merged.action;
    else result.push(action);
  }
  return result;
}

/** Beside the duration of a call there is only what the call says already. */
function withoutDurations(key: string, value: unknown): unknown {
  if (key === 'startedAt' || key === 'duration') return undefined;
  return key === '_meta' && typeof value === 'object' && value !== null && 'moorage.durationMs' in value
    ? undefined
    : value;
}

for (const agent of readdirSync(FIXTURES).filter((name) => !name.includes('.'))) {
  const recordings = readdirSync(`${FIXTURES}${agent}`).filter((name) => !name.includes('.actions.'));
  describe(`a recorded turn of ${agent}`, () => {
    it.each(recordings)('%s becomes exactly these actions', async (name) => {
      const { chat } = await host.session(client, { provider: 'test' });
      file = `${FIXTURES}${agent}/${name}`;
      const turnId = startTurn(client, chat, name);
      await turnEnd(client, chat, turnId);
      await client.sync();
      await expect(told(chat, turnId)).toMatchFileSnapshot(file.replace('.jsonl', '.actions.jsonl'));
      const { turns } = await chatState(client, chat);
      for (const call of callsOf(turns[0]?.responseParts)) expect(['completed', 'cancelled']).toContain(call.status);
    });
  });
}
