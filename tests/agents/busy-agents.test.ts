import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { CHOSEN_AGENTS, scenario, useRealAgent } from '../support/acp/real-agent-rig.js';
import { accepted, callsOf, startTurn, textOf } from '../support/actions.js';
import { userMessage } from '../support/test-host.js';

/** Agents do different things with a second prompt while they work, so the host never sends one. */
describe.each(CHOSEN_AGENTS)('$id that is at work', (agent) => {
  const rig = useRealAgent(agent);

  /** A turn that waits for a permission, and a message that comes meanwhile. */
  async function meanwhile(kind: 'queued' | 'steering'): Promise<string> {
    const turnId = startTurn(rig.client, rig.chat, 'script:write');
    await rig.client.envelope(({ action }) => action.type === 'chat/toolCallReady' && !action.confirmed);
    const message = userMessage('script:hello');
    await accepted(rig.client, rig.chat, { type: 'chat/pendingMessageSet', kind, id: 'meanwhile', message });
    expect(await rig.answering(turnId, true)).toMatchObject({ type: 'chat/turnComplete' });
    expect(readFileSync(join(rig.host.workspace, 'hello.txt'), 'utf8')).toBe('hi\n');
    expect(await rig.changedFiles(turnId, 1)).toEqual([expect.stringContaining('hello.txt')]);
    return turnId;
  }

  scenario(agent, 'queued', async () => {
    await meanwhile('queued');
    await rig.client.action(rig.chat, 'chat/turnComplete', 2);
    const { turns, queuedMessages = [] } = await rig.seen();
    expect(queuedMessages).toEqual([]);
    expect(turns.map(({ state }) => state)).toEqual(['complete', 'complete']);
    expect(textOf(turns[0])).toContain('It is written.');
    expect(callsOf(turns[0]?.responseParts)).toMatchObject([{ status: 'completed', success: true }]);
    expect(textOf(turns[1])).toContain('Hello from the model.');
    expect(callsOf(turns[1]?.responseParts)).toEqual([]);
    expect(await rig.changedFiles(turns[1]?.id ?? '', 0)).toEqual([]);
  });

  scenario(agent, 'steering', async () => {
    await meanwhile('steering');
    const { turns, steeringMessage } = await rig.seen();
    expect(steeringMessage).toBeUndefined();
    expect(turns).toMatchObject([{ state: 'complete' }]);
    // A paragraph of its own, not the end of the sentence before.
    expect(textOf(turns[0])).toMatch(/It is written\.\s*\n\s*(.*\n\s*)?Hello from the model\./s);
  });
});
