import { describe, expect, it } from 'vitest';
import { ScriptedRig } from '../support/acp/scripted-rig.js';
import { accepted, callsOf, choice, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { everything } from '../support/mcp.js';

const rig = new ScriptedRig();

describe('questions that an agent asks as if for a permission', () => {
  it('are asked as questions, and the agent gets the answers', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/survey Which colour? | Red | Blue');
    const { request } = await rig.other.action(rig.chat, 'chat/inputRequested');
    expect(request.questions).toMatchObject([{ kind: 'single-select', message: 'Which colour?', title: 'Survey' }]);
    await accepted(rig.other, rig.chat, choice(request, 'Blue'));
    await turnEnd(rig.client, rig.chat, turnId);
    const [first] = (await rig.seen()).turns;
    expect(textOf(first)).toBe('proceed_once {"0":"Blue"}');
    expect(callsOf(first?.responseParts)).toMatchObject([{ status: 'completed', success: true }]);
  });

  it('that the user declines are refused', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/survey Which colour? | Red | Blue');
    const { request } = await rig.other.action(rig.chat, 'chat/inputRequested');
    await accepted(rig.other, rig.chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'decline' });
    await turnEnd(rig.client, rig.chat, turnId);
    expect(textOf((await rig.seen()).turns[0])).toBe('cancel undefined');
  });
});

describe('an agent that runs MCP servers only in trusted folders', () => {
  const agent = { trustEnv: { SCRIPTED_TRUST: 'yes' } };
  const answered = async (value: boolean) => {
    const turnId = startTurn(rig.client, rig.chat, '/env SCRIPTED_TRUST');
    const { request } = await rig.other.action(rig.chat, 'chat/inputRequested');
    expect(request.message).toMatch(/Do you trust the files in .*MCP servers \(everything\)/);
    const answers = { [request.questions?.[0]?.id ?? '']: { state: 'submitted', value: { kind: 'boolean', value } } };
    const action = { type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers } as const;
    await accepted(rig.other, rig.chat, action);
    await turnEnd(rig.client, rig.chat, turnId);
    return textOf((await rig.seen()).turns.at(-1));
  };

  it('is told that the user trusts the folder, who is asked once, also after a restart', async () => {
    await rig.start({ agent, servers: [everything(rig.mark)] });
    expect(await answered(true)).toBe('SCRIPTED_TRUST=yes');
    await rig.restart();
    await turn(rig.client, rig.chat, '/env SCRIPTED_TRUST');
    expect(await rig.lastText()).toBe('SCRIPTED_TRUST=yes');
  });

  it('works without them when the user does not, and says so', async () => {
    await rig.start({ agent, servers: [everything(rig.mark)] });
    expect(await answered(false)).toBe('SCRIPTED_TRUST=undefined');
    expect(JSON.stringify((await rig.seen()).turns)).toContain('works without MCP servers');
  });

  it('does not ask when there are none', async () => {
    await rig.start({ agent });
    await turn(rig.client, rig.chat, '/env SCRIPTED_TRUST');
    expect(await rig.lastText()).toBe('SCRIPTED_TRUST=undefined');
  });
});
