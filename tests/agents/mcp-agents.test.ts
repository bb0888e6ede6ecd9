import { describe, expect } from 'vitest';
import { CHOSEN_AGENTS, scenario, useRealAgent, VERY_PATIENT } from '../support/acp/real-agent-rig.js';
import { callsOf, startTurn, textOf, turn, turnEnd } from '../support/actions.js';

describe.each(CHOSEN_AGENTS)('$id in a session with an MCP server', (agent) => {
  const rig = useRealAgent(agent, { usesMcp: true });

  scenario(
    agent,
    'mcp',
    async () => {
      // Agents talk before their servers are there, and offer the tools of those when they are.
      const offered = async () => {
        const turnId = startTurn(rig.client, rig.chat, 'script:hello');
        if (agent.asksForTrust && turnId) await rig.trust();
        await turnEnd(rig.client, rig.chat, turnId);
        return rig.model.heard();
      };
      await expect
        .poll(offered, VERY_PATIENT)
        .toMatch(/mcp__everything|everything_echo|remote-echo|WaitForMcpServers|tool_search/);
      const turnId = startTurn(rig.client, rig.chat, 'script:mcp');
      expect(await rig.answering(turnId, true)).toMatchObject({ type: 'chat/turnComplete' });
      const called = (await rig.seen()).turns.at(-1);
      expect(textOf(called)).toContain('It answered.');
      const calls = callsOf(called?.responseParts).filter(({ contributor }) => contributor || agent.hidesServers);
      const customizationId = agent.takesHttpServersOnly ? 'mcp:remote' : 'mcp:everything';
      const contributor = agent.hidesServers ? undefined : { kind: 'mcp', customizationId };
      expect(calls.map((call) => [call.status, call.contributor])).toEqual([['completed', contributor]]);
      expect(JSON.stringify(calls[0])).toContain('Echo: ping');
      expect(rig.model.heard()).toContain('Echo: ping');
      const all = JSON.stringify((await rig.seen()).turns);
      expect(all.includes('works without MCP servers of this kind: everything')).toBe(
        agent.takesHttpServersOnly === true,
      );
    },
    async () => {
      for (let round = 0; round < 3; round++) await turn(rig.client, rig.chat, 'script:hello');
      expect(rig.model.heard()).not.toMatch(/everything.{1,3}echo/);
    },
  );
});
