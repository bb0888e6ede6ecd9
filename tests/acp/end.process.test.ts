import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ScriptedRig } from '../support/acp/scripted-rig.js';
import { chatState, PATIENT, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { isAlive } from '../support/processes.js';

const rig = new ScriptedRig();

describe('the process of an agent', () => {
  it('is one for each chat: two work at once', async () => {
    await rig.start();
    const second = rig.host.newChatUri();
    await rig.client.request('createChat', { channel: rig.session, chat: second });
    await rig.client.subscribe(second);
    const first = startTurn(rig.client, rig.chat, '/pid\n/write a.txt one');
    await rig.asked();
    const last = startTurn(rig.client, second, '/pid\n/say two');
    await turnEnd(rig.client, second, last);
    const pidOf = async (uri: string) => {
      const { activeTurn, turns } = await chatState(rig.client, uri);
      return textOf(activeTurn ?? turns.at(-1));
    };
    expect(await pidOf(second)).toMatch(/^pid \d+two$/);
    expect(await pidOf(rig.chat)).not.toBe((await pidOf(second)).replace('two', ''));
    await rig.cancel(first);
  });

  it('that dies ends its turn with an error, and is started again', async () => {
    await rig.start();
    await turn(rig.client, rig.chat, '/say remember me');
    const turnId = startTurn(rig.client, rig.chat, '/crash');
    const end = await turnEnd(rig.client, rig.chat, turnId);
    expect(end).toMatchObject({ type: 'chat/error', part: { error: { errorType: 'agentExited' } } });
    expect(JSON.stringify(end)).toContain('signal SIGKILL');
    expect(JSON.stringify(end)).toContain('I feel unwell');
    await turn(rig.client, rig.chat, '/recall');
    expect(await rig.lastText()).toBe('I know: /say remember me | /crash | /recall');
  });

  it('has an environment of its own, and a folder for what it leaves behind', async () => {
    process.env.MOORAGE_TEST_SECRET = 'hidden';
    try {
      await rig.start();
      await turn(rig.client, rig.chat, '/env MOORAGE_TEST_SECRET\n/say ;\n/env MARK\n/say ;\n/env TMPDIR');
      const [secret, given, temporary] = (await rig.lastText()).split(';');
      expect(secret).toBe('MOORAGE_TEST_SECRET=undefined');
      expect(given).toBe(`MARK=${rig.mark}`);
      const path = temporary?.replace('TMPDIR=', '') ?? '';
      expect(existsSync(path)).toBe(true);
      await rig.host.stop();
      expect(existsSync(path)).toBe(false);
      await rig.host.start();
    } finally {
      delete process.env.MOORAGE_TEST_SECRET;
    }
  });

  it('is gone with its chat', async () => {
    await rig.start();
    await turn(rig.client, rig.chat, '/pid');
    const pid = Number(/pid (\d+)/.exec(await rig.lastText())?.[1]);
    expect(isAlive(pid)).toBe(true);
    await rig.client.request('disposeSession', { channel: rig.session });
    await expect.poll(() => isAlive(pid), PATIENT).toBe(false);
  });

  it('may write nonsense: it is passed over', async () => {
    await rig.start();
    await turn(rig.client, rig.chat, '/nonsense\n/say fine');
    expect((await rig.seen()).turns[0]).toMatchObject({ state: 'complete' });
    expect(await rig.lastText()).toBe('fine');
  });

  it('that floods the host with a line without end is ended', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/flood');
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({
      part: { error: { errorType: 'agentExited' } },
    });
  });

  it('that says nothing for too long is ended', async () => {
    await rig.start({ timeouts: { silenceMs: 300 } });
    const turnId = startTurn(rig.client, rig.chat, '/hang');
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({
      part: { error: { errorType: 'agentSilent' } },
    });
  });
});

describe('an agent that says nothing', () => {
  it('is pointed out to the user once, and goes on', async () => {
    await rig.start({ timeouts: { quietMs: 300 } });
    const turnId = startTurn(rig.client, rig.chat, '/pause 1000\n/say one\n/pause 1000\n/say two');
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    const parts = (await rig.seen()).turns[0]?.responseParts;
    const notices = parts?.filter(({ kind }) => kind === 'systemNotification');
    expect(notices).toMatchObject([{ content: expect.stringContaining('Scripted has said nothing') }]);
    expect(await rig.lastText()).toBe('onetwo');
  });

  it('is not, while it waits for the user, though one that fell silent after it is', async () => {
    await rig.start({ timeouts: { quietMs: 1_000 } });
    const turnId = startTurn(rig.client, rig.chat, '/write a.txt new');
    const call = await rig.asked();
    const later = await rig.host.session(rig.client, { provider: 'scripted' });
    startTurn(rig.client, later.chat, '/hang');
    await rig.client.envelope(
      ({ channel, action }) =>
        channel === later.chat && action.type === 'chat/responsePart' && action.part.kind === 'systemNotification',
    );
    await rig.answer(call, true);
    await turnEnd(rig.client, rig.chat, turnId);
    const kinds = (await rig.seen()).turns[0]?.responseParts.map(({ kind }) => kind) ?? [];
    expect(kinds.slice(kinds.indexOf('toolCall'))).toEqual(['toolCall']); // before it asked, it may have been slow
  });
});
