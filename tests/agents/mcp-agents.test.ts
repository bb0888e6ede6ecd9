import { describe, expect, it } from 'vitest';
import { CHOSEN_AGENTS, useRealAgent } from '../support/acp/real-agent-rig.js';
import { callsOf, startTurn, textOf } from '../support/actions.js';

describe.each(CHOSEN_AGENTS)('$id in a session with an MCP server', (agent) => {
  const rig = useRealAgent(agent, { usesMcp: true });

  it('calls a tool of it, and everybody sees what came of it', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:mcp');
    expect(await rig.answering(turnId, true)).toMatchObject({ type: 'chat/turnComplete' });
    const { turns } = await rig.seen();
    expect(textOf(turns[0])).toContain('It answered.');
    const calls = callsOf(turns[0]?.responseParts).filter(({ contributor }) => contributor);
    expect(calls).toMatchObject([
      { status: 'completed', success: true, contributor: { kind: 'mcp', customizationId: 'mcp:everything' } },
    ]);
    expect(JSON.stringify(calls[0])).toContain('Echo: ping');
    expect(rig.model.heard()).toContain('Echo: ping');
  });
});
