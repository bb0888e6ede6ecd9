import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callsOf, startTurn, textOf, turnEnd } from '../support/actions.js';
import type { FakeCall } from '../support/fake-model.js';
import { calling, says, useModelAgent } from '../support/model-agent-rig.js';

const rig = useModelAgent();

const writing = (path: string): FakeCall => ({ name: 'write', input: { path, content: path } });

/** Writes a file, which the user allows in this way. */
async function writes(path: string, selectedOptionId: string): Promise<void> {
  rig.model.queue(calling(writing(path)), says('ok'));
  const turnId = startTurn(rig.client, rig.chat, 'write');
  await rig.approve(turnId, { selectedOptionId });
  await turnEnd(rig.client, rig.chat, turnId);
}

/** Whether a call runs without asking; one that asks is denied. */
async function needsNobody(path: string, call = writing(path)): Promise<boolean> {
  rig.model.queue(calling(call), says('ok'));
  const turnId = startTurn(rig.client, rig.chat, 'write');
  const ready = await rig.watcher.envelope(
    ({ action }) => action.type === 'chat/toolCallReady' && action.turnId === turnId,
  );
  const isFree = 'confirmed' in ready.action && ready.action.confirmed === 'setting';
  if (!isFree) await rig.deny(turnId);
  await turnEnd(rig.client, rig.chat, turnId);
  return isFree;
}

describe('an edit', () => {
  it('is shown before it is allowed, made, and in the changeset of its turn', async () => {
    rig.model.queue(
      { text: ['I will.'], calls: [{ name: 'edit', input: { path: 'kept.txt', old: 'two', new: 'TWO' } }] },
      says('Edited.'),
    );
    const turnId = startTurn(rig.client, rig.chat, 'edit it');
    const [pending] = await rig.waiting();
    expect(pending).toMatchObject({
      toolName: 'edit',
      confirmationTitle: 'Edit kept.txt?',
      edits: { items: [{ diff: { added: 1, removed: 1 } }] },
      options: ['allow-once', 'allow-session', 'allow-always', 'allow-session-all', 'allow-always-all', 'deny'].map(
        (id) => expect.objectContaining({ id }),
      ),
    });
    expect(rig.read('kept.txt')).toBe('one\ntwo\nthree\n');
    await rig.approve(turnId, { selectedOptionId: 'allow-once' });
    await turnEnd(rig.client, rig.chat, turnId);
    expect(rig.read('kept.txt')).toBe('one\nTWO\nthree\n');
    const last = await rig.lastTurn();
    const [call] = callsOf(last.responseParts);
    expect(call).toMatchObject({ status: 'completed', success: true, confirmed: 'user-action' });
    const edit = call?.status === 'completed' ? call.content?.[0] : undefined;
    if (edit?.type !== 'fileEdit') throw new Error('the call shows no edit');
    const content = async (uri = '') =>
      (await rig.client.request('resourceRead', { channel: 'ahp-root://', uri })).data;
    expect(await content(edit.before?.content.uri)).toBe('one\ntwo\nthree\n');
    expect(await content(edit.after?.content.uri)).toBe('one\nTWO\nthree\n');
    expect(textOf(last)).toBe('I will.Edited.');
    expect(rig.model.requests.at(-1)?.results).toEqual(['Edited kept.txt.']);
    expect(await rig.changed(turnId)).toEqual(['kept.txt']);
  });

  it('that is denied is not made, and the model is told why', async () => {
    rig.model.queue(calling({ name: 'write', input: { path: 'new.txt', content: 'x' } }), says('As you wish.'));
    const turnId = startTurn(rig.client, rig.chat, 'write it');
    await rig.deny(turnId, { selectedOptionId: 'deny', reasonMessage: 'not that name' });
    await turnEnd(rig.client, rig.chat, turnId);
    expect(existsSync(rig.at('new.txt'))).toBe(false);
    expect(rig.model.requests.at(-1)?.results[0]).toMatch(/did not allow this[\s\S]*not that name/);
    expect(callsOf((await rig.lastTurn()).responseParts)[0]).toMatchObject({ status: 'cancelled', reason: 'denied' });
    expect(await rig.changed(turnId)).toEqual([]);
  });

  it('that is allowed for the session is not asked about again, also after a restart; .git always is', async () => {
    await writes('a.txt', 'allow-session-all');
    await rig.restart();
    expect(await needsNobody('b.txt')).toBe(true);
    rig.model.queue(calling(writing('.git/hooks/post-commit')), says('ok'));
    const next = startTurn(rig.client, rig.chat, 'write');
    const [pending] = await rig.waiting();
    expect(pending).toMatchObject({ options: [{ id: 'allow-once' }, { id: 'deny' }] });
    await rig.deny(next);
    await turnEnd(rig.client, rig.chat, next);
  });

  it('that is allowed for the session is not asked about in its other chats either, after a restart', async () => {
    const other = rig.host.newChatUri();
    await rig.client.request('createChat', { channel: rig.session, chat: other });
    await writes('a.txt', 'allow-session-all');
    rig.chat = other;
    await rig.restart();
    expect(await needsNobody('b.txt')).toBe(true);
  });

  it('that is allowed for one file is asked about for every other, and for deleting that one', async () => {
    await writes('a.txt', 'allow-session');
    expect(await needsNobody('a.txt')).toBe(true);
    expect(await needsNobody('b.txt')).toBe(false);
    expect(await needsNobody('a.txt', { name: 'delete', input: { path: 'a.txt' } })).toBe(false);
  });

  it('that is always allowed is so in other sessions of the folder, also after a restart', async () => {
    await writes('a.txt', 'allow-always-all');
    await rig.restart();
    await rig.newSession();
    const edits = [
      { old: 'one', new: '1' },
      { old: 'two', new: '2' },
    ];
    await rig.results({ name: 'multi_edit', input: { path: 'kept.txt', edits } });
    expect(rig.read('kept.txt')).toBe('1\n2\nthree\n');
  });

  it('that is always allowed is listed in a file, and asked about again when it is taken out of it', async () => {
    await writes('a.txt', 'allow-always');
    const folder = rig.host.workspace;
    expect(JSON.parse(readFileSync(rig.grantsFile, 'utf8'))).toEqual({ [folder]: ['edit a.txt'] });
    expect(await needsNobody('a.txt')).toBe(true);
    writeFileSync(rig.grantsFile, JSON.stringify({ [folder]: ['edit b.txt'] }));
    expect(await needsNobody('a.txt')).toBe(false); // in the same session, without a restart
    expect(await needsNobody('b.txt')).toBe(true);
    writeFileSync(rig.grantsFile, 'nonsense');
    expect(await needsNobody('b.txt')).toBe(false);
  });

  it('can be changed by the user before it is allowed', async () => {
    rig.model.queue(calling({ name: 'write', input: { path: 'a.txt', content: 'a' } }), says('ok'));
    const turnId = startTurn(rig.client, rig.chat, 'write');
    await rig.approve(turnId, { editedToolInput: JSON.stringify({ path: 'a.txt', content: 'mine' }) });
    await turnEnd(rig.client, rig.chat, turnId);
    expect(rig.read('a.txt')).toBe('mine');
  });

  it('of one file by several calls at once is made by all of them', async () => {
    const edits = ['one', 'two', 'three'].map((old) => ({
      name: 'edit',
      input: { path: 'kept.txt', old, new: old.toUpperCase() },
    }));
    rig.model.queue(calling(...edits), says('Done.'));
    const turnId = startTurn(rig.client, rig.chat, 'all');
    await rig.approve(turnId, {}, 3);
    await turnEnd(rig.client, rig.chat, turnId);
    expect(rig.read('kept.txt')).toBe('ONE\nTWO\nTHREE\n');
    expect(rig.model.requests.at(-1)?.results).toEqual(['Edited kept.txt.', 'Edited kept.txt.', 'Edited kept.txt.']);
  });
});
