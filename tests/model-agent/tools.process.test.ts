import { type ChatState, errorOf } from '@moorage/protocol';
import { expect, it } from 'vitest';
import { accepted, callsOf, chatState, choice, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { calling, says, useModelAgent } from '../support/model-agent-rig.js';

const rig = useModelAgent();

it('asks the user, and goes on with the answer', async () => {
  rig.model.queue(
    calling({ name: 'ask_user', input: { question: 'Which?', options: ['Red', 'Blue'] } }),
    says('Blue it is.'),
  );
  const turnId = startTurn(rig.client, rig.chat, 'ask me');
  const { request } = await rig.watcher.action(rig.chat, 'chat/inputRequested');
  expect(request).toMatchObject({
    message: 'Which?',
    questions: [{ kind: 'single-select', options: [{ id: 'Red' }, { id: 'Blue' }] }],
  });
  await accepted(rig.watcher, rig.chat, choice(request, 'Blue'));
  await turnEnd(rig.client, rig.chat, turnId);
  expect(rig.model.requests.at(-1)?.results).toEqual(['The user answered: Blue']);
  expect(textOf(await rig.lastTurn())).toBe('Blue it is.');
});

it('lets a sub-agent work in a chat of its own', async () => {
  rig.model.reply = ({ messages, results: given }) => {
    if (messages[0]?.text === 'count the files') return says('There are 2.');
    return given.length > 0
      ? says(`It said: ${given[0]}`)
      : calling({ name: 'sub_agent', input: { title: 'Count', message: 'count the files' } });
  };
  await turn(rig.client, rig.chat, 'delegate');
  const last = await rig.lastTurn();
  expect(textOf(last)).toBe('It said: There are 2.');
  const [call] = callsOf(last.responseParts);
  const [shown] = call?.status === 'completed' ? (call.content ?? []) : [];
  if (shown?.type !== 'subagent') throw new Error('the call shows no sub-agent');
  const sub = await rig.watcher.subscribe<ChatState>(shown.resource);
  expect([sub.turns[0]?.message.text, textOf(sub.turns[0])]).toEqual(['count the files', 'There are 2.']);
});

it('calls tools of the active client', async () => {
  const tools = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' as const } }];
  await accepted(rig.client, rig.session, {
    type: 'session/activeClientSet',
    activeClient: { clientId: rig.client.clientId, tools },
  });
  rig.model.queue(calling({ name: 'look', input: { at: 'house' } }), says('Red.'));
  const turnId = startTurn(rig.watcher, rig.chat, 'look');
  const { toolCallId, toolInput } = await rig.client.action(rig.chat, 'chat/toolCallReady');
  expect(toolInput).toBe('{"at":"house"}');
  const result = { success: true, pastTenseMessage: 'Looked', content: [{ type: 'text', text: 'a red house' }] };
  await accepted(rig.client, rig.chat, { type: 'chat/toolCallComplete', turnId, toolCallId, result });
  await turnEnd(rig.client, rig.chat, turnId);
  expect(rig.model.requests[0]?.tools).toContain('look');
  expect(rig.model.requests.at(-1)?.results).toEqual(['a red house']);
});

it('serves two chats at once, each with its own conversation', async () => {
  const other = await rig.host.session(rig.client, { provider: 'model' });
  let open: () => void = () => {};
  const hold = new Promise<void>((resolve) => {
    open = resolve;
  });
  rig.model.reply = ({ messages }) => ({ text: [`re: ${messages.at(-1)?.text}`], hold });
  const first = startTurn(rig.client, rig.chat, 'first');
  const second = startTurn(rig.client, other.chat, 'second');
  await rig.model.request(1);
  open();
  await Promise.all([turnEnd(rig.client, rig.chat, first), turnEnd(rig.client, other.chat, second)]);
  expect(textOf((await chatState(rig.client, rig.chat)).turns[0])).toBe('re: first');
  expect(textOf((await chatState(rig.client, other.chat)).turns[0])).toBe('re: second');
});

it('takes a steering message between two requests', async () => {
  let open: () => void = () => {};
  const hold = new Promise<void>((resolve) => {
    open = resolve;
  });
  rig.model.queue({ text: ['First.'], hold }, says('Steered.'));
  const turnId = startTurn(rig.client, rig.chat, 'go');
  await rig.model.request(0);
  const message = { text: 'rather this', origin: { kind: 'user' } };
  await accepted(rig.client, rig.chat, { type: 'chat/pendingMessageSet', kind: 'steering', id: 's1', message });
  open();
  await turnEnd(rig.client, rig.chat, turnId);
  expect(textOf(await rig.lastTurn())).toBe('First.Steered.');
  expect(rig.model.requests[1]?.messages.at(-1)?.text).toBe('rather this');
});

it('stops a model that never comes to an end', async () => {
  await rig.restart({ maxSteps: 5 });
  rig.model.reply = () => calling({ name: 'list', input: {} });
  await turn(rig.client, rig.chat, 'loop');
  const error = errorOf(await rig.lastTurn());
  expect(error).toMatchObject({ errorType: 'tooManySteps', message: expect.stringContaining('after 5 steps') });
  expect(rig.model.requests).toHaveLength(5);
});
