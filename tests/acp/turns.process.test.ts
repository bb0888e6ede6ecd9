import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangesetState, SessionState } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { ScriptedRig } from '../support/acp/scripted-rig.js';
import { accepted, callsOf, chatState, choice, PATIENT, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { commitAll } from '../support/repository.js';

const rig = new ScriptedRig();

describe('a turn of an ACP agent', () => {
  it('is told to everybody: thoughts, words, a title, tokens', async () => {
    await rig.start();
    await turn(rig.client, rig.chat, '/think hm\n/say hello\n/title About greetings');
    const state = await rig.seen();
    expect(state.turns[0]).toMatchObject({
      state: 'complete',
      responseParts: [
        { kind: 'reasoning', content: 'hm' },
        { kind: 'markdown', content: 'hello' },
      ],
      usage: { inputTokens: 10, outputTokens: 5 },
    });
    expect((await rig.client.subscribe<SessionState>(rig.session)).title).toBe('About greetings');
  });

  it('edits a file after another client has approved, with both contents, and the changeset shows it', async () => {
    await rig.start({
      prepare: (folder) => {
        writeFileSync(join(folder, 'a.txt'), 'old\n');
        commitAll(folder);
      },
    });
    const turnId = startTurn(rig.client, rig.chat, '/write a.txt new');
    const call = await rig.asked();
    const uri = `${rig.host.workspaceUri}/a.txt`;
    expect(call.edits?.items).toMatchObject([{ before: { uri }, after: { uri }, diff: { added: 1, removed: 1 } }]);
    expect(call.options?.map(({ id, kind }) => [id, kind])).toEqual([
      ['yes', 'approve'],
      ['always', 'approve'],
      ['no', 'deny'],
    ]);
    expect(await rig.content(call.edits?.items[0]?.before?.content.uri)).toBe('old\n');
    await rig.answer(call, true);
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    expect(readFileSync(join(rig.host.workspace, 'a.txt'), 'utf8')).toBe('new\n');
    expect(await rig.lastCall()).toMatchObject({ status: 'completed', success: true, content: [{ type: 'fileEdit' }] });
    const { changesets } = await rig.client.subscribe<SessionState>(rig.session);
    const template = changesets?.find(({ uriTemplate }) => uriTemplate.includes('{turnId}'))?.uriTemplate ?? '';
    const changeset = template.replace('{turnId}', turnId);
    await expect
      .poll(async () => (await rig.client.subscribe<ChangesetState>(changeset)).files.map(({ id }) => id), PATIENT)
      .toEqual([expect.stringContaining('a.txt')]);
  });

  it('leaves the file alone when the user says no', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/write a.txt new\n/say and on');
    await rig.answer(await rig.asked(), false);
    await turnEnd(rig.client, rig.chat, turnId);
    expect(existsSync(join(rig.host.workspace, 'a.txt'))).toBe(false);
    expect(await rig.lastCall()).toMatchObject({ status: 'cancelled', reason: 'denied' });
    expect(await rig.lastText()).toBe('and on');
  });

  it('asks no more after "always", which the agent is told', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/write a.txt one\n/write b.txt two');
    await rig.answer(await rig.asked(), true, 'always');
    await turnEnd(rig.client, rig.chat, turnId);
    expect(readdirSync(rig.host.workspace).sort()).toEqual(['a.txt', 'b.txt']);
    expect(callsOf((await rig.seen()).turns[0]?.responseParts)).toMatchObject([
      { confirmed: 'user-action', selectedOption: { id: 'always' } },
      { confirmed: 'not-needed' },
    ]);
  });

  it('runs a command in a terminal of the host that clients can watch', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/run echo "from $PWD"; exit 3');
    await rig.answer(await rig.asked(), true);
    await turnEnd(rig.client, rig.chat, turnId);
    const shown = rig.client.actionsOn(rig.chat).find((action) => action.type === 'chat/toolCallContentChanged');
    expect(shown).toMatchObject({
      content: [{ type: 'terminal', resource: expect.stringContaining('ahp-terminal:') }],
    });
    expect(await rig.lastCall()).toMatchObject({ status: 'completed' });
  });

  it('may run as many commands as it likes, as long as it is done with most of them', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/again 40 true');
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    expect(await rig.lastCall()).toMatchObject({ status: 'completed', success: true, content: [{ type: 'terminal' }] });
  });

  it('shows the output of a command of its own while it comes', async () => {
    await rig.start();
    const go = join(rig.folder, 'go');
    const turnId = startTurn(rig.client, rig.chat, `/own echo one; until [ -e ${go} ]; do sleep 0.02; done; echo two`);
    await rig.client.action(rig.chat, 'chat/toolCallContentChanged');
    writeFileSync(go, '');
    await turnEnd(rig.client, rig.chat, turnId);
    const texts = rig.client
      .actionsOn(rig.chat)
      .flatMap((action) =>
        action.type === 'chat/toolCallContentChanged'
          ? action.content.map((part) => (part.type === 'text' ? part.text : ''))
          : [],
      );
    expect(texts).toEqual(['one\n', 'one\ntwo\n']);
    expect(await rig.lastCall()).toMatchObject({ success: true, content: [{ type: 'text', text: 'one\ntwo\n' }] });
  });

  it('asks a question, which any client answers', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/ask Which colour? | Red | Blue');
    const { request } = await rig.other.action(rig.chat, 'chat/inputRequested');
    expect(request).toMatchObject({ questions: [{ id: 'answer', kind: 'single-select', required: true }] });
    await accepted(rig.other, rig.chat, choice(request, 'Blue'));
    await turnEnd(rig.client, rig.chat, turnId);
    expect(await rig.lastText()).toBe('accept Blue');
  });

  it('shows a plan that changes in place', async () => {
    await rig.start();
    await turn(rig.client, rig.chat, '/plan look=in_progress,write\n/plan look=completed,write=completed');
    const plan = await rig.lastCall();
    expect(callsOf((await rig.seen()).turns[0]?.responseParts)).toHaveLength(1);
    expect(plan).toMatchObject({
      toolName: 'plan',
      status: 'completed',
      content: [{ text: '- [x] look\n- [x] write' }],
    });
  });

  it('reads and writes files through the host, and never outside of the folder', async () => {
    await rig.start();
    await turn(rig.client, rig.chat, '/put b.txt hi\n/put ../outside.txt no');
    expect(await rig.lastText()).toMatch(/^file: hi.*no file: .*outside/s);
    expect(existsSync(join(rig.host.workspace, '..', 'outside.txt'))).toBe(false);
  });

  it('gets images and embedded files as they are', async () => {
    await rig.start();
    const attachments = [
      { type: 'embeddedResource', label: 'dot', data: 'AAAA', contentType: 'image/png' },
      { type: 'resource', label: 'file', uri: 'file:///x' },
    ];
    const message = { text: '/recall', origin: { kind: 'user' }, attachments };
    rig.client.dispatch(rig.chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'with-image',
      message,
    });
    await turnEnd(rig.client, rig.chat, 'with-image');
    expect(await rig.lastText()).toBe('I know: /recall\n<image>\n<resource_link>');
  });

  it('goes on with what the user says meanwhile', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/plan one\n/write a.txt new');
    const call = await rig.asked();
    const message = { text: '/plan two\n/say steered', origin: { kind: 'user' } };
    await accepted(rig.client, rig.chat, { type: 'chat/pendingMessageSet', kind: 'steering', id: 'steer', message });
    await rig.answer(call, true);
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    const { turns, steeringMessage } = await rig.seen();
    expect(steeringMessage).toBeUndefined();
    expect(textOf(turns[0])).toBe('steered');
    expect(callsOf(turns[0]?.responseParts).map(({ toolName }) => toolName)).toEqual(['plan', 'Write a.txt', 'plan']);
  });

  it('shows what it says to a steering message as a paragraph of its own, and counts both', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/write a.txt new\n/say one');
    const call = await rig.asked();
    const message = { text: '/say two', origin: { kind: 'user' } };
    await accepted(rig.client, rig.chat, { type: 'chat/pendingMessageSet', kind: 'steering', id: 'steer', message });
    await rig.answer(call, true);
    await turnEnd(rig.client, rig.chat, turnId);
    const { turns } = await rig.seen();
    expect(textOf(turns[0])).toBe('one\n\ntwo');
    expect(turns[0]?.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
  });

  it('that fails says what the agent said', async () => {
    await rig.start();
    const turnId = await turn(rig.client, rig.chat, '/fail the model is asleep');
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({
      part: { error: { errorType: 'agentFailed', message: 'Scripted reported: the model is asleep' } },
    });
    await turn(rig.client, rig.chat, '/say well again');
    expect(await rig.lastText()).toBe('well again');
  });

  it('can be followed by words that nobody asked for', async () => {
    await rig.start();
    await turn(rig.client, rig.chat, '/late by the way');
    await expect
      .poll(async () => textOf((await chatState(rig.client, rig.chat)).turns.at(-1)), PATIENT)
      .toBe('by the way');
  });
});
