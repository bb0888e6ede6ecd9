import { describe, expect } from 'vitest';
import { CHOSEN_AGENTS, scenario, useRealAgent } from '../support/acp/real-agent-rig.js';
import { accepted, callsOf, choice, startTurn, textOf, turn, turnEnd } from '../support/actions.js';

describe.each(CHOSEN_AGENTS)('$id', (agent) => {
  const rig = useRealAgent(agent);

  scenario(
    agent,
    'ask',
    async () => {
      // Codex asks in its plan mode only, which is known once it had a session.
      await turn(rig.client, rig.chat, 'script:hello');
      if (agent.id === 'codex') await rig.newSession({ collaboration_mode: 'plan' });
      const turnId = startTurn(rig.client, rig.chat, 'script:ask');
      const { request } = await rig.other.action(rig.chat, 'chat/inputRequested');
      const question = request.questions?.[0];
      expect(JSON.stringify(request)).toContain('Which colour?');
      expect(question).toMatchObject({ kind: 'single-select' });
      await accepted(rig.other, rig.chat, choice(request, 'Blue'));
      expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
      const { turns } = await rig.seen();
      expect(textOf(turns.at(-1))).toContain('Thank you.');
      expect(rig.model.heard()).toContain('Blue');
      for (const call of callsOf(turns.at(-1)?.responseParts)) expect(call).toMatchObject({ status: 'completed' });
    },
    () => lacks('ask'),
  );

  scenario(
    agent,
    'plan',
    async () => {
      const turnId = startTurn(rig.client, rig.chat, 'script:plan');
      expect(await rig.answering(turnId, true)).toMatchObject({ type: 'chat/turnComplete' });
      const { turns } = await rig.seen();
      expect(textOf(turns[0])).toContain('It is done.');
      const calls = callsOf(turns[0]?.responseParts);
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) expect(call).toMatchObject({ status: 'completed', success: true });
      const last = JSON.stringify(calls.at(-1));
      expect(last).toContain('Write the code');
      expect(last).toMatch(/\[x\]|completed/);
    },
    () => lacks('plan'),
  );

  async function lacks(tool: string): Promise<void> {
    const turnId = startTurn(rig.client, rig.chat, `script:${tool}`);
    await rig.hasNoToolFor(tool);
    await rig.cancel(turnId);
  }
});
