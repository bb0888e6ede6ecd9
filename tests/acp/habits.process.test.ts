import { ROOT_URI } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { ScriptedRig } from '../support/acp/scripted-rig.js';
import { endedIn, turn } from '../support/actions.js';

const rig = new ScriptedRig();

describe('an agent that answers session/load before it repeats the conversation', () => {
  it('is given the conversation as text, so that no old words count as its new answer', async () => {
    await rig.start({ env: { SCRIPTED_NAME: 'gemini-cli', SCRIPTED_LATE: '1' } });
    await turn(rig.client, rig.chat, '/say first');
    await rig.restart();
    await turn(rig.client, rig.chat, '/say second');
    expect(await rig.lastText()).not.toContain('(replayed)');
    expect(await rig.lastText()).toContain('second');
  });
});

describe('an agent that counts tokens over its whole session', () => {
  const env = { SCRIPTED_NAME: 'Copilot', SCRIPTED_TOTALS: '1' };

  it('has what each turn used in that turn', async () => {
    await rig.start({ env });
    for (const words of ['/say one', '/say two', '/say three']) await turn(rig.client, rig.chat, words);
    const { turns } = await rig.seen();
    expect(turns.map(({ usage }) => usage)).toMatchObject(turns.map(() => ({ inputTokens: 10, outputTokens: 5 })));
  });

  it('has failed in a turn that used nothing and ended with an error, also after the first', async () => {
    await rig.start({ env });
    await turn(rig.client, rig.chat, '/say one');
    await turn(rig.client, rig.chat, '/complain out of credits');
    expect((await rig.seen()).turns[1]).toMatchObject({
      ...endedIn({ errorType: 'agentFailed', message: expect.stringContaining('out of credits') }),
    });
  });
});

describe('the first session with an agent', () => {
  it('can choose its mode', async () => {
    await rig.start();
    await rig.watch(await rig.host.session(rig.client, { provider: 'scripted', config: { mode: 'bold' } }));
    await turn(rig.client, rig.chat, '/mode');
    expect(await rig.lastText()).toBe('mode bold');
  });

  it('is described before it is made', async () => {
    await rig.start();

    const { schema } = await rig.client.request('resolveSessionConfig', {
      channel: ROOT_URI,
      provider: 'scripted',
      workingDirectory: rig.host.workspaceUri,
    });
    expect(schema.properties).toMatchObject({ mode: { enum: ['careful', 'bold'] } });
  });

  it('is made with what VS Code sends blindly, which is ignored (V-41)', async () => {
    await rig.start();
    const vscode = await rig.host.client({ program: 'vscode-editor-window' });
    const config = { isolation: 'folder', autoApprove: 'default', mode: 'interactive' };
    await rig.watch(await rig.host.session(vscode, { provider: 'scripted', config }));
    await turn(rig.client, rig.chat, '/mode');
    expect(await rig.lastText()).toBe('mode careful');
  });

  it('is made all the same when the agent cannot be started', async () => {
    await rig.start({ env: { SCRIPTED_FAIL: '1' } });
    await rig.host.session(rig.client, { provider: 'scripted', config: { mode: 'bold' } });
  });
});
