import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { CHOSEN_AGENTS, scenario, useRealAgent, VERY_PATIENT } from '../support/acp/real-agent-rig.js';
import { accepted, callsOf, startTurn, textOf } from '../support/actions.js';
import { processesWith } from '../support/processes.js';
import { userMessage } from '../support/test-host.js';

/** Agents do different things with a second prompt while they work, so the host never sends one. */
describe.each(CHOSEN_AGENTS)('$id that is at work', (agent) => {
  const rig = useRealAgent(agent);

  /** Waits for a permission, or, if the agent asks for none, for a file. */
  const asks = agent.cannot?.reject === undefined;
  const file = asks ? 'hello.txt' : 'go';
  const words = asks ? 'It is written.' : 'It is over.';

  /** A turn that waits, and a message that comes meanwhile. */
  async function meanwhile(kind: 'queued' | 'steering'): Promise<string> {
    const turnId = startTurn(rig.client, rig.chat, asks ? 'script:write' : 'script:wait');
    const end = asks ? undefined : rig.answering(turnId, true);
    if (asks) await rig.client.envelope(({ action }) => action.type === 'chat/toolCallReady' && !action.confirmed);
    else await expect.poll(() => processesWith('until [ -e go ]').length, VERY_PATIENT).toBeGreaterThan(0);
    const message = userMessage('script:hello');
    await accepted(rig.client, rig.chat, { type: 'chat/pendingMessageSet', kind, id: 'meanwhile', message });
    if (!asks) writeFileSync(join(rig.host.workspace, file), '');
    expect(await (end ?? rig.answering(turnId, true))).toMatchObject({ type: 'chat/turnComplete' });
    if (asks) expect(readFileSync(join(rig.host.workspace, file), 'utf8')).toBe('hi\n');
    expect(await rig.changedFiles(turnId, 1)).toEqual([expect.stringContaining(file)]);
    return turnId;
  }

  scenario(agent, 'queued', async () => {
    await meanwhile('queued');
    await rig.client.action(rig.chat, 'chat/turnComplete', 2);
    const { turns, queuedMessages = [] } = await rig.seen();
    expect(queuedMessages).toEqual([]);
    expect(turns.map(({ state }) => state)).toEqual(['complete', 'complete']);
    expect(textOf(turns[0])).toContain(words);
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
    expect(textOf(turns[0]).replace(words, '')).toMatch(/\n\s*Hello from the model\./);
    expect(textOf(turns[0]).indexOf(words)).toBeLessThan(textOf(turns[0]).indexOf('Hello from the model.'));
  });
});
