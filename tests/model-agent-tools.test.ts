import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelAgentOptions, modelAgent } from '@ahpd/agents/model';
import { gitWorkspaces, nodeClock } from '@ahpd/host';
import {
  type ChangesetState,
  type ChatState,
  changesetUri,
  type SessionState,
  sessionUri,
  type TerminalState,
} from '@ahpd/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, callsOf, chatState, PATIENT, shownIn, startTurn, textOf, turn, turnEnd } from './support/actions.js';
import { type FakeCall, FakeModel, type FakeReply } from './support/fake-model.js';
import { ManualClock } from './support/manual-clock.js';
import { TestHost } from './support/test-host.js';
import type { WireClient } from './support/wire-client.js';

let model: FakeModel;
let host: TestHost;
let client: WireClient;
let watcher: WireClient;
let session: string;
let chat: string;
let clock: ManualClock;
/** Settings of the agents that are started from now on. */
let more: Partial<ModelAgentOptions>;

beforeEach(async () => {
  model = await FakeModel.start();
  clock = new ManualClock();
  more = {};
  const agents = () => [modelAgent({ ...settings(), ...more })];
  host = new TestHost({
    agents,
    workspaces: (folder) =>
      gitWorkspaces({ directory: join(folder, 'workspaces'), clock: nodeClock, log: { write: () => {} } }),
  });
  execFileSync('git', ['init', '-q', '-b', 'main', host.workspace]);
  write('kept.txt', 'one\ntwo\nthree\n');
  await host.start();
  client = await host.client();
  watcher = await host.client();
  ({ session, chat } = await host.session(client, { provider: 'model' }));
  await watcher.subscribe(chat);
});
afterEach(async () => {
  await host.dispose();
  await model.close();
});

function settings(): ModelAgentOptions {
  const grantsFile = join(host.folder, 'always-allowed.json');
  return { id: 'model', api: 'openai', baseURL: model.baseURL, models: ['fake'], grantsFile };
}

const at = (name: string) => join(host.workspace, name);
const write = (name: string, text: string) => writeFileSync(at(name), text);
const read = (name: string) => readFileSync(at(name), 'utf8');
const says = (...text: string[]): FakeReply => ({ text });
const calling = (...calls: FakeCall[]): FakeReply => ({ calls });

/** What both clients see of the last turn, which must be the same. */
async function lastTurn() {
  const [one, other] = await Promise.all([chatState(client, chat), chatState(watcher, chat)]);
  expect(other.turns).toEqual(one.turns);
  const last = one.turns.at(-1);
  if (!last) throw new Error('there is no turn');
  return last;
}

/** Calls that wait for the user, once there are that many. */
function waiting(count = 1) {
  return shownIn(watcher, chat, ({ activeTurn }) => {
    const calls = callsOf(activeTurn?.responseParts).filter(({ status }) => status === 'pending-confirmation');
    return calls.length >= count ? calls : undefined;
  });
}

async function answer(turnId: string, more: object, count = 1): Promise<void> {
  for (const { toolCallId } of await waiting(count)) {
    await accepted(watcher, chat, { type: 'chat/toolCallConfirmed', turnId, toolCallId, ...more });
  }
}
const approve = (turnId: string, more: object = {}, count = 1) =>
  answer(turnId, { approved: true, confirmed: 'user-action', ...more }, count);
const deny = (turnId: string, more: object = {}) => answer(turnId, { approved: false, reason: 'denied', ...more });

/** Lets the model make these calls at once and gives what it was told of each. */
async function results(...calls: FakeCall[]): Promise<readonly string[]> {
  model.queue(calling(...calls), says('Done.'));
  await turn(client, chat, 'go');
  return model.requests.at(-1)?.results ?? [];
}

describe('an edit', () => {
  it('is shown before it is allowed, made, and in the changeset of its turn', async () => {
    model.queue(
      { text: ['I will.'], calls: [{ name: 'edit', input: { path: 'kept.txt', old: 'two', new: 'TWO' } }] },
      says('Edited.'),
    );
    const turnId = startTurn(client, chat, 'edit it');
    const [pending] = await waiting();
    expect(pending).toMatchObject({
      toolName: 'edit',
      confirmationTitle: 'Edit kept.txt?',
      edits: { items: [{ diff: { added: 1, removed: 1 } }] },
      options: ['allow-once', 'allow-session', 'allow-always', 'deny'].map((id) => expect.objectContaining({ id })),
    });
    expect(read('kept.txt')).toBe('one\ntwo\nthree\n');
    await approve(turnId, { selectedOptionId: 'allow-once' });
    await turnEnd(client, chat, turnId);
    expect(read('kept.txt')).toBe('one\nTWO\nthree\n');
    const last = await lastTurn();
    const [call] = callsOf(last.responseParts);
    expect(call).toMatchObject({ status: 'completed', success: true, confirmed: 'user-action' });
    const edit = call?.status === 'completed' ? call.content?.[0] : undefined;
    if (edit?.type !== 'fileEdit') throw new Error('the call shows no edit');
    const content = async (uri = '') => (await client.request('resourceRead', { channel: 'ahp-root://', uri })).data;
    expect(await content(edit.before?.content.uri)).toBe('one\ntwo\nthree\n');
    expect(await content(edit.after?.content.uri)).toBe('one\nTWO\nthree\n');
    expect(textOf(last)).toBe('I will.Edited.');
    expect(model.requests.at(-1)?.results).toEqual(['Edited kept.txt.']);
    expect(await changed(turnId)).toEqual(['kept.txt']);
  });

  it('that is denied is not made, and the model is told why', async () => {
    model.queue(calling({ name: 'write', input: { path: 'new.txt', content: 'x' } }), says('As you wish.'));
    const turnId = startTurn(client, chat, 'write it');
    await deny(turnId, { selectedOptionId: 'deny', reasonMessage: 'not that name' });
    await turnEnd(client, chat, turnId);
    expect(existsSync(at('new.txt'))).toBe(false);
    expect(model.requests.at(-1)?.results[0]).toMatch(/did not allow this[\s\S]*not that name/);
    expect(callsOf((await lastTurn()).responseParts)[0]).toMatchObject({ status: 'cancelled', reason: 'denied' });
    expect(await changed(turnId)).toEqual([]);
  });

  it('that is allowed for the session is not asked about again, also after a restart; .git always is', async () => {
    model.queue(calling({ name: 'write', input: { path: 'a.txt', content: 'a' } }), says('ok'));
    const turnId = startTurn(client, chat, 'write');
    await approve(turnId, { selectedOptionId: 'allow-session' });
    await turnEnd(client, chat, turnId);
    await restart();
    await results({ name: 'write', input: { path: 'b.txt', content: 'b' } });
    expect(read('b.txt')).toBe('b');
    expect(callsOf((await lastTurn()).responseParts)[0]).toMatchObject({ confirmed: 'setting' });
    model.queue(calling({ name: 'write', input: { path: '.git/hooks/post-commit', content: 'x' } }), says('ok'));
    const next = startTurn(client, chat, 'write');
    const [pending] = await waiting();
    expect(pending).toMatchObject({ options: [{ id: 'allow-once' }, { id: 'deny' }] });
    await deny(next);
    await turnEnd(client, chat, next);
  });

  it('that is always allowed is so in other sessions of the folder, also after a restart', async () => {
    model.queue(calling({ name: 'write', input: { path: 'a.txt', content: 'a' } }), says('ok'));
    const turnId = startTurn(client, chat, 'write');
    await approve(turnId, { selectedOptionId: 'allow-always' });
    await turnEnd(client, chat, turnId);
    await restart();
    ({ chat } = await host.session(client, { provider: 'model' }));
    await watcher.subscribe(chat);
    await results({
      name: 'multi_edit',
      input: {
        path: 'kept.txt',
        edits: [
          { old: 'one', new: '1' },
          { old: 'two', new: '2' },
        ],
      },
    });
    expect(read('kept.txt')).toBe('1\n2\nthree\n');
  });

  it('can be changed by the user before it is allowed', async () => {
    model.queue(calling({ name: 'write', input: { path: 'a.txt', content: 'a' } }), says('ok'));
    const turnId = startTurn(client, chat, 'write');
    await approve(turnId, { editedToolInput: JSON.stringify({ path: 'a.txt', content: 'mine' }) });
    await turnEnd(client, chat, turnId);
    expect(read('a.txt')).toBe('mine');
  });

  it('of one file by several calls at once is made by all of them', async () => {
    const edits = ['one', 'two', 'three'].map((old) => ({
      name: 'edit',
      input: { path: 'kept.txt', old, new: old.toUpperCase() },
    }));
    model.queue(calling(...edits), says('Done.'));
    const turnId = startTurn(client, chat, 'all');
    await approve(turnId, {}, 3);
    await turnEnd(client, chat, turnId);
    expect(read('kept.txt')).toBe('ONE\nTWO\nTHREE\n');
    expect(model.requests.at(-1)?.results).toEqual(['Edited kept.txt.', 'Edited kept.txt.', 'Edited kept.txt.']);
  });
});

describe('looking around', () => {
  it('needs no permission, and calls of one answer run at the same time', async () => {
    write('notes.md', 'find me\nnot me\n');
    expect(
      await results(
        { name: 'read', input: { path: 'kept.txt', offset: 2, limit: 1 } },
        { name: 'list', input: {} },
        { name: 'glob', input: { pattern: '**/*.md' } },
        { name: 'grep', input: { pattern: '^find', glob: '*.md' } },
      ),
    ).toEqual(['[lines 2 to 2 of 4]\ntwo', '.git/\nkept.txt\nnotes.md', 'notes.md', 'notes.md:1:find me']);
    const calls = callsOf((await lastTurn()).responseParts);
    expect(calls.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
    expect(calls[0]).toMatchObject({ confirmed: 'not-needed', _meta: { readOnlyHint: true } });
  });

  it('ends at the folder of the session', async () => {
    symlinkSync('/etc', at('link'));
    const outside = 'outside of the session';
    const told = await results(
      { name: 'read', input: { path: '/etc/passwd' } },
      { name: 'read', input: { path: 'link/passwd' } },
      { name: 'list', input: { path: '..' } },
      { name: 'grep', input: { pattern: 'root', path: 'link' } },
      { name: 'glob', input: { pattern: '**', path: '/etc' } },
      { name: 'grep', input: { pattern: 'root:' } },
      { name: 'write', input: { path: '../x.txt', content: 'x' } },
    );
    expect(told.map((text) => (text.includes(outside) ? outside : text))).toEqual([
      ...[outside, outside, outside, outside, outside],
      'No line matches.',
      outside,
    ]);
  });

  it('is told clearly what was wrong with a call', async () => {
    const told = await results(
      { name: 'read', input: { file: 'kept.txt' } },
      { name: 'read', input: 'no json' },
      { name: 'nonsense', input: {} },
      { name: 'edit', input: { path: 'kept.txt', old: 'four', new: '4' } },
      { name: 'edit', input: { path: 'kept.txt', old: 'o', new: '0' } },
      { name: 'grep', input: { pattern: '(' } },
    );
    expect(told).toEqual([
      expect.stringMatching(/input of read is wrong at .*path/),
      expect.stringMatching(/not valid JSON/),
      expect.stringMatching(/no tool "nonsense"\. There are: read,/),
      expect.stringMatching(/does not contain "four"/),
      expect.stringMatching(/contains "o" 2 times/),
      expect.stringMatching(/no regular expression/),
    ]);
    expect((await lastTurn()).state).toBe('complete');
  });

  it('cuts what is too long, and says so', async () => {
    write('long.txt', 'x'.repeat(100_000));
    const [text = ''] = await results({ name: 'read', input: { path: 'long.txt' } });
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(/\[\.\.\. \d+ characters were cut out here \.\.\.\]/.exec(text)?.[0]).toBe(
      '[... 60060 characters were cut out here ...]',
    );
  });
});

describe('searching', () => {
  it('ends an expression that would take for ever', async () => {
    await restart({ clock });
    write('trap.txt', `${'a'.repeat(64)}!`);
    model.queue(calling({ name: 'grep', input: { pattern: '^(a+)+$' } }), says('Done.'));
    const turnId = startTurn(client, chat, 'search');
    await shownIn(watcher, chat, ({ activeTurn }) =>
      callsOf(activeTurn?.responseParts).find(({ status }) => status === 'running'),
    );
    const end = turnEnd(client, chat, turnId).then(() => true);
    // The worker may not have started yet, so the time goes on until the search has ended.
    while (!(await Promise.race([end, client.sync().then(() => false)]))) clock.advance(10_000);
    expect(model.requests.at(-1)?.results[0]).toMatch(/took too long/);
  });

  it('is done by ripgrep where it is installed, and by ourselves where that fails', async () => {
    // A stand-in, since few machines that run tests have it: it answers as ripgrep does.
    const folder = join(host.folder, 'bin');
    mkdirSync(folder);
    const rg = (script: string) => {
      writeFileSync(join(folder, 'rg'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(folder, 'rg'), 0o755);
    };
    const path = process.env.PATH;
    process.env.PATH = `${folder}:${path}`;
    try {
      rg('for arg; do last=$arg; done; echo "$last/kept.txt:2:two"; echo "$*" > "$PWD/args"');
      const search = { name: 'grep', input: { pattern: '--pre=evil', glob: '*.txt', ignore_case: true } };
      expect(await results(search)).toEqual(['kept.txt:2:two']);
      expect(read('args')).toMatch(/^--no-config .*--ignore-case --glob=\*\.txt --regexp=--pre=evil -- \.\n$/);
      rg('exit 2');
      expect(await results({ name: 'grep', input: { pattern: 't(?=wo)' } })).toEqual(['kept.txt:2:two']);
    } finally {
      process.env.PATH = path;
    }
  });
});

describe('a command', () => {
  it('runs in a terminal that everybody can watch, once it is allowed', async () => {
    model.queue(calling({ name: 'run', input: { command: 'echo hi; exit 3' } }), says('It failed.'));
    const turnId = startTurn(client, chat, 'run it');
    await approve(turnId);
    await turnEnd(client, chat, turnId);
    const [call] = callsOf((await lastTurn()).responseParts);
    expect(call).toMatchObject({ status: 'completed', success: false, error: { code: 'exitCode' } });
    const [shown] = call?.status === 'completed' ? (call.content ?? []) : [];
    if (shown?.type !== 'terminal') throw new Error('the call shows no terminal');
    expect((await watcher.subscribe<TerminalState>(shown.resource)).exitCode).toBe(3);
    expect(model.requests.at(-1)?.results[0]).toMatch(/exit code 3[\s\S]*hi/i);
  });

  it('goes on in the background, is looked at and ended', async () => {
    model.queue(calling({ name: 'run', input: { command: 'echo up; sleep 600', background: true } }), says('Started.'));
    const turnId = startTurn(client, chat, 'start');
    await approve(turnId);
    await turnEnd(client, chat, turnId);
    expect(model.requests.at(-1)?.results[0]).toContain('terminal "t1"');
    await expect
      .poll(async () => (await results({ name: 'terminal_output', input: { terminal: 't1' } }))[0], PATIENT)
      .toMatch(/still runs[\s\S]*up/);
    expect(await results({ name: 'terminal_stop', input: { terminal: 't1' } })).toEqual([
      expect.stringMatching(/It ended with exit code \d+/),
    ]);
    expect(await results({ name: 'terminal_output', input: { terminal: 't1' } })).toEqual([
      expect.stringContaining('There is no terminal "t1"'),
    ]);
  });

  it('ends when the turn is cancelled', async () => {
    model.queue(calling({ name: 'run', input: { command: 'echo up; sleep 600' } }));
    const turnId = startTurn(client, chat, 'run');
    await approve(turnId);
    const shown = await shownIn(watcher, chat, ({ activeTurn }) => {
      const [call] = callsOf(activeTurn?.responseParts);
      return call?.status === 'running' && call.content?.[0]?.type === 'terminal' ? call.content[0] : undefined;
    });
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId });
    await turnEnd(watcher, chat, turnId);
    expect((await lastTurn()).state).toBe('cancelled');
    await expect
      .poll(async () => (await client.subscribe<TerminalState>(shown.resource)).exitCode, PATIENT)
      .toBeDefined();
    model.queue(says('Back.'));
    await turn(client, chat, 'and?');
    expect(textOf(await lastTurn())).toBe('Back.');
  });
});

it('cancels while a permission is open: nothing is done, and the chat goes on', async () => {
  model.queue(calling({ name: 'write', input: { path: 'a.txt', content: 'a' } }));
  const turnId = startTurn(client, chat, 'write');
  await waiting();
  client.dispatch(chat, { type: 'chat/turnCancelled', turnId });
  await turnEnd(watcher, chat, turnId);
  expect(callsOf((await lastTurn()).responseParts)[0]?.status).toBe('cancelled');
  expect(existsSync(at('a.txt'))).toBe(false);
  await turn(client, chat, 'and?');
  expect((await lastTurn()).state).toBe('complete');
  expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ]);
});

it('goes on after a restart with what waits for the user, and does nothing twice', async () => {
  const runs = { name: 'run', input: { command: 'echo once >> ran; sleep 600' } };
  model.queue(
    { text: ['First.'], calls: [{ name: 'read', input: { path: 'kept.txt' } }] },
    calling({ name: 'write', input: { path: 'a.txt', content: 'a' } }, runs, {
      name: 'ask_user',
      input: { question: 'Sure?' },
    }),
    says('All done.'),
  );
  const turnId = startTurn(client, chat, 'go');
  const [, run] = await waiting(2);
  await accepted(client, chat, {
    type: 'chat/toolCallConfirmed',
    turnId,
    toolCallId: run?.toolCallId,
    approved: true,
    confirmed: 'user-action',
  });
  await expect.poll(() => existsSync(at('ran')), PATIENT).toBe(true);
  await restart();
  const [still] = await waiting();
  expect(still).toMatchObject({ toolName: 'write', edits: { items: [{ diff: { added: 1, removed: 0 } }] } });
  const { id: requestId = '' } = (await chatState(client, chat)).inputRequests?.[0] ?? {};
  const answers = { answer: { state: 'submitted', value: { kind: 'text', value: 'Yes' } } };
  await accepted(client, chat, { type: 'chat/inputCompleted', requestId, response: 'accept', answers });
  await approve(turnId);
  await turnEnd(client, chat, turnId);
  expect(read('a.txt')).toBe('a');
  expect(read('ran')).toBe('once\n');
  const { messages, results: told } = model.requests.at(-1) ?? {};
  expect(messages?.slice(0, 4).map(({ text }) => text)).toEqual([
    ...['go', 'First.<read>', 'one\ntwo\nthree\n', '<write><run><ask_user>'],
  ]);
  expect(told?.slice(1)).toEqual([
    'Wrote a.txt.',
    expect.stringContaining('The host was restarted while this was under way'),
    'The user answered: Yes',
  ]);
  const last = await lastTurn();
  expect(textOf(last)).toBe('First.All done.');
  expect(callsOf(last.responseParts).map(({ status }) => status)).toEqual(Array(4).fill('completed'));
  expect(last.usage).toMatchObject({ inputTokens: 30, outputTokens: 15 });
  // Ids of later calls must not meet those of the turn that went on: the fake model refuses that as real ones do.
  expect(await results({ name: 'list', input: {} })).toHaveLength(1);
});

it('asks the user, and goes on with the answer', async () => {
  model.queue(
    calling({ name: 'ask_user', input: { question: 'Which?', options: ['Red', 'Blue'] } }),
    says('Blue it is.'),
  );
  const turnId = startTurn(client, chat, 'ask me');
  const { request } = await watcher.action(chat, 'chat/inputRequested');
  expect(request).toMatchObject({
    message: 'Which?',
    questions: [{ kind: 'single-select', options: [{ id: 'Red' }, { id: 'Blue' }] }],
  });
  const answers = { answer: { state: 'submitted', value: { kind: 'selected', value: 'Blue' } } };
  await accepted(watcher, chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers });
  await turnEnd(client, chat, turnId);
  expect(model.requests.at(-1)?.results).toEqual(['The user answered: Blue']);
  expect(textOf(await lastTurn())).toBe('Blue it is.');
});

it('lets a sub-agent work in a chat of its own', async () => {
  model.reply = ({ messages, results: given }) => {
    if (messages[0]?.text === 'count the files') return says('There are 2.');
    return given.length > 0
      ? says(`It said: ${given[0]}`)
      : calling({ name: 'sub_agent', input: { title: 'Count', message: 'count the files' } });
  };
  await turn(client, chat, 'delegate');
  const last = await lastTurn();
  expect(textOf(last)).toBe('It said: There are 2.');
  const [call] = callsOf(last.responseParts);
  const [shown] = call?.status === 'completed' ? (call.content ?? []) : [];
  if (shown?.type !== 'subagent') throw new Error('the call shows no sub-agent');
  const sub = await watcher.subscribe<ChatState>(shown.resource);
  expect([sub.turns[0]?.message.text, textOf(sub.turns[0])]).toEqual(['count the files', 'There are 2.']);
});

it('calls tools of the active client', async () => {
  const tools = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' as const } }];
  await accepted(client, session, {
    type: 'session/activeClientChanged',
    activeClient: { clientId: client.clientId, tools },
  });
  model.queue(calling({ name: 'look', input: { at: 'house' } }), says('Red.'));
  const turnId = startTurn(watcher, chat, 'look');
  const { toolCallId, toolInput } = await client.action(chat, 'chat/toolCallReady');
  expect(toolInput).toBe('{"at":"house"}');
  const result = { success: true, pastTenseMessage: 'Looked', content: [{ type: 'text', text: 'a red house' }] };
  await accepted(client, chat, { type: 'chat/toolCallComplete', turnId, toolCallId, result });
  await turnEnd(client, chat, turnId);
  expect(model.requests[0]?.tools).toContain('look');
  expect(model.requests.at(-1)?.results).toEqual(['a red house']);
});

it('serves two chats at once, each with its own conversation', async () => {
  const other = await host.session(client, { provider: 'model' });
  let open: () => void = () => {};
  const hold = new Promise<void>((resolve) => {
    open = resolve;
  });
  model.reply = ({ messages }) => ({ text: [`re: ${messages.at(-1)?.text}`], hold });
  const first = startTurn(client, chat, 'first');
  const second = startTurn(client, other.chat, 'second');
  await model.request(1);
  open();
  await Promise.all([turnEnd(client, chat, first), turnEnd(client, other.chat, second)]);
  expect(textOf((await chatState(client, chat)).turns[0])).toBe('re: first');
  expect(textOf((await chatState(client, other.chat)).turns[0])).toBe('re: second');
});

it('takes a steering message between two requests', async () => {
  let open: () => void = () => {};
  const hold = new Promise<void>((resolve) => {
    open = resolve;
  });
  model.queue({ text: ['First.'], hold }, says('Steered.'));
  const turnId = startTurn(client, chat, 'go');
  await model.request(0);
  const message = { text: 'rather this', origin: { kind: 'user' } };
  await accepted(client, chat, { type: 'chat/pendingMessageSet', kind: 'steering', id: 's1', message });
  open();
  await turnEnd(client, chat, turnId);
  expect(textOf(await lastTurn())).toBe('First.Steered.');
  expect(model.requests[1]?.messages.at(-1)?.text).toBe('rather this');
});

it('stops a model that never comes to an end', async () => {
  await restart({ maxSteps: 5 });
  model.reply = () => calling({ name: 'list', input: {} });
  await turn(client, chat, 'loop');
  const { error } = await lastTurn();
  expect(error).toMatchObject({ errorType: 'tooManySteps', message: expect.stringContaining('after 5 steps') });
  expect(model.requests).toHaveLength(5);
});

async function restart(options: Partial<ModelAgentOptions> = {}): Promise<void> {
  more = options;
  await host.restart();
  client = await host.client();
  watcher = await host.client();
  await client.subscribe(chat);
  await watcher.subscribe(chat);
}

/** The files that a turn changed, as its changeset has it. */
async function changed(turnId: string): Promise<string[]> {
  const state = await client.subscribe<SessionState>(session);
  if (!state.changesets) await client.action(session, 'session/changesetsChanged');
  const uri = changesetUri(sessionUri.parse(session) ?? '', { kind: 'turn', turnId });
  let changeset = await watcher.subscribe<ChangesetState>(uri);
  if (changeset.status === 'computing') {
    await watcher.envelope(
      ({ channel, action }) =>
        channel === uri && action.type === 'changeset/statusChanged' && action.status !== 'computing',
    );
    changeset = await watcher.subscribe<ChangesetState>(uri);
  }
  return changeset.files.map(({ id }) => id.slice(id.lastIndexOf('/') + 1)).sort();
}
