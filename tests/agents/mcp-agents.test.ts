import { describe, expect } from 'vitest';
import { CHOSEN_AGENTS, scenario, useRealAgent, VERY_PATIENT } from '../support/acp/real-agent-rig.js';
import { callsOf, startTurn, textOf, turn } from '../support/actions.js';

describe.each(CHOSEN_AGENTS)('$id in a session with an MCP server', (agent) => {
  const rig = useRealAgent(agent, { usesMcp: true });

  scenario(agent, 'mcp', 'calls a tool of it, and everybody sees what came of it', async () => {
    // Agents talk before their servers are there, and offer the tools of those when they are.
    const offered = async () => {
      await turn(rig.client, rig.chat, 'script:hello');
      return rig.model.heard();
    };
    await expect.poll(offered, VERY_PATIENT).toMatch(/mcp__everything|everything_echo|WaitForMcpServers/);
    const turnId = startTurn(rig.client, rig.chat, 'script:mcp');
    expect(await rig.answering(turnId, true)).toMatchObject({ type: 'chat/turnComplete' });
    const called = (await rig.seen()).turns.at(-1);
    expect(textOf(called)).toContain('It answered.');
    const calls = callsOf(called?.responseParts).filter(({ contributor }) => contributor);
    expect(calls).toMatchObject([
      { status: 'completed', success: true, contributor: { kind: 'mcp', customizationId: 'mcp:everything' } },
    ]);
    expect(JSON.stringify(calls[0])).toContain('Echo: ping');
    expect(rig.model.heard()).toContain('Echo: ping');
  });
});
