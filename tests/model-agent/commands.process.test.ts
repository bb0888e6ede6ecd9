import { existsSync } from 'node:fs';
import { openRequests, type TerminalState } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import {
  accepted,
  approval,
  callsOf,
  chatState,
  PATIENT,
  shownIn,
  startTurn,
  textOf,
  turn,
  turnEnd,
} from '../support/actions.js';
import { exitCodeOf } from '../support/exit-code.js';
import { calling, says, useModelAgent } from '../support/model-agent-rig.js';

const rig = useModelAgent();

describe('a command', () => {
  it('runs in a terminal that everybody can watch, once it is allowed', async () => {
    rig.model.queue(calling({ name: 'run', input: { command: 'echo hi; exit 3' } }), says('It failed.'));
    const turnId = startTurn(rig.client, rig.chat, 'run it');
    await rig.approve(turnId);
    await turnEnd(rig.client, rig.chat, turnId);
    const [call] = callsOf((await rig.lastTurn()).responseParts);
    expect(call).toMatchObject({ status: 'completed', success: false, error: { code: 'exitCode' } });
    const [shown] = call?.status === 'completed' ? (call.content ?? []) : [];
    if (shown?.type !== 'terminal') throw new Error('the call shows no terminal');
    expect(exitCodeOf(await rig.watcher.subscribe<TerminalState>(shown.resource))).toBe(3);
    expect(rig.model.requests.at(-1)?.results[0]).toMatch(/exit code 3[\s\S]*hi/i);
  });

  it('goes on in the background, is looked at and ended', async () => {
    rig.model.queue(
      calling({ name: 'run', input: { command: 'echo up; sleep 600', background: true } }),
      says('Started.'),
    );
    const turnId = startTurn(rig.client, rig.chat, 'start');
    await rig.approve(turnId);
    await turnEnd(rig.client, rig.chat, turnId);
    expect(rig.model.requests.at(-1)?.results[0]).toContain('terminal "t1"');
    await expect
      .poll(async () => (await rig.results({ name: 'terminal_output', input: { terminal: 't1' } }))[0], PATIENT)
      .toMatch(/still runs[\s\S]*up/);
    expect(await rig.results({ name: 'terminal_stop', input: { terminal: 't1' } })).toEqual([
      expect.stringMatching(/It ended with exit code \d+/),
    ]);
    expect(await rig.results({ name: 'terminal_output', input: { terminal: 't1' } })).toEqual([
      expect.stringContaining('There is no terminal "t1"'),
    ]);
  });

  it('ends when the turn is cancelled', async () => {
    rig.model.queue(calling({ name: 'run', input: { command: 'echo up; sleep 600' } }));
    const turnId = startTurn(rig.client, rig.chat, 'run');
    await rig.approve(turnId);
    const shown = await shownIn(rig.watcher, rig.chat, ({ activeTurn }) => {
      const [call] = callsOf(activeTurn?.responseParts);
      return call?.status === 'running' && call.content?.[0]?.type === 'terminal' ? call.content[0] : undefined;
    });
    rig.client.dispatch(rig.chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    await turnEnd(rig.watcher, rig.chat, turnId);
    expect((await rig.lastTurn()).state).toBe('cancelled');
    await expect
      .poll(async () => exitCodeOf(await rig.client.subscribe<TerminalState>(shown.resource)), PATIENT)
      .toBeDefined();
    rig.model.queue(says('Back.'));
    await turn(rig.client, rig.chat, 'and?');
    expect(textOf(await rig.lastTurn())).toBe('Back.');
  });
});

it('cancels while a permission is open: nothing is done, and the chat goes on', async () => {
  rig.model.queue(calling({ name: 'write', input: { path: 'a.txt', content: 'a' } }));
  const turnId = startTurn(rig.client, rig.chat, 'write');
  await rig.waiting();
  rig.client.dispatch(rig.chat, { type: 'chat/turnCancelled', duration: 0, turnId });
  await turnEnd(rig.watcher, rig.chat, turnId);
  expect(callsOf((await rig.lastTurn()).responseParts)[0]?.status).toBe('cancelled');
  expect(existsSync(rig.at('a.txt'))).toBe(false);
  await turn(rig.client, rig.chat, 'and?');
  expect((await rig.lastTurn()).state).toBe('complete');
  expect(rig.model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ]);
});

it('goes on after a restart with what waits for the user, and does nothing twice', async () => {
  const runs = { name: 'run', input: { command: 'echo once >> ran; sleep 600' } };
  rig.model.queue(
    { text: ['First.'], calls: [{ name: 'read', input: { path: 'kept.txt' } }] },
    calling({ name: 'write', input: { path: 'a.txt', content: 'a' } }, runs, {
      name: 'ask_user',
      input: { question: 'Sure?' },
    }),
    says('All done.'),
  );
  const turnId = startTurn(rig.client, rig.chat, 'go');
  const [, run] = await rig.waiting(2);
  await accepted(rig.client, rig.chat, approval(turnId, run?.toolCallId ?? ''));
  await expect.poll(() => existsSync(rig.at('ran')) && rig.read('ran'), PATIENT).toBe('once\n');
  await rig.restart();
  const [still] = await rig.waiting();
  expect(still).toMatchObject({ toolName: 'write', edits: { items: [{ diff: { added: 1, removed: 0 } }] } });
  const { id: requestId = '' } = openRequests(await chatState(rig.client, rig.chat))[0] ?? {};
  const answers = { answer: { state: 'submitted', value: { kind: 'text', value: 'Yes' } } };
  await accepted(rig.client, rig.chat, { type: 'chat/inputCompleted', requestId, response: 'accept', answers });
  await rig.approve(turnId);
  await turnEnd(rig.client, rig.chat, turnId);
  expect(rig.read('a.txt')).toBe('a');
  expect(rig.read('ran')).toBe('once\n');
  const { messages, results: told } = rig.model.requests.at(-1) ?? {};
  expect(messages?.slice(0, 4).map(({ text }) => text)).toEqual([
    ...['go', 'First.<read>', 'one\ntwo\nthree\n', '<write><run><ask_user>'],
  ]);
  expect(told?.slice(1)).toEqual([
    'Wrote a.txt.',
    expect.stringContaining('The host was restarted while this was under way'),
    'The user answered: Yes',
  ]);
  const last = await rig.lastTurn();
  expect(textOf(last)).toBe('First.All done.');
  expect(callsOf(last.responseParts).map(({ status }) => status)).toEqual(Array(4).fill('completed'));
  expect(last.usage).toMatchObject({ inputTokens: 30, outputTokens: 15 });
  // Ids of later calls must not meet those of the turn that went on: the fake model refuses that as real ones do.
  expect(await rig.results({ name: 'list', input: {} })).toHaveLength(1);
});
