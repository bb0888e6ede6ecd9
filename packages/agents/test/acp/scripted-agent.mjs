// An ACP agent that does what the lines of a prompt say: a real process that speaks over its standard input and output.
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';

/** Where its sessions are kept; without it they end with the process. */
const { SCRIPTED_STATE, SCRIPTED_FAIL, SCRIPTED_LISTS, SCRIPTED_LATE, SCRIPTED_TOTALS, SCRIPTED_LAST_WORDS } =
  process.env;
if (SCRIPTED_FAIL) {
  process.stderr.write(`cannot work: api_key=${process.env.SCRIPTED_KEY}\n`);
  process.exit(3);
}

const sessions = new Map(Object.entries(load()));
const cancels = new Map();
let mode = 'careful';
let calls = 0;
let turns = 0;
/** What it repeats only once it is prompted. */
let lateReplay = async () => {};
let listed = 0;
let mcpServers = [];
let folders = [];

const connection = acp
  .agent({ name: 'scripted' })
  .onRequest('initialize', () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentInfo: { name: process.env.SCRIPTED_NAME ?? 'scripted', version: '1' },
    agentCapabilities: {
      loadSession: Boolean(SCRIPTED_STATE),
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: Boolean(process.env.SCRIPTED_HTTP) },
      sessionCapabilities: {
        ...(SCRIPTED_LISTS && { list: {} }),
        ...(process.env.SCRIPTED_FOLDERS && { additionalDirectories: {} }),
      },
    },
  }))
  .onRequest('session/new', ({ params }) => {
    const sessionId = `session-${process.pid}-${sessions.size}`;
    sessions.set(sessionId, { cwd: params.cwd, heard: [] });
    mcpServers = params.mcpServers;
    folders = params.additionalDirectories;
    return { sessionId, configOptions: configOptions() };
  })
  .onRequest('session/load', async ({ params, client }) => {
    const session = sessions.get(params.sessionId);
    if (!session) throw acp.RequestError.resourceNotFound(params.sessionId);
    mcpServers = params.mcpServers;
    folders = params.additionalDirectories;
    const replay = async () => {
      for (const text of session.heard) {
        const content = { type: 'text', text };
        if (process.env.SCRIPTED_USERS)
          await update(client, params.sessionId, { sessionUpdate: 'user_message_chunk', content });
        await say(client, params.sessionId, `(replayed) ${text}`);
      }
    };
    if (SCRIPTED_LATE) lateReplay = replay;
    else await replay();
    return { configOptions: configOptions() };
  })
  /** Has a title when it is asked for the second time, on the second page. */
  .onRequest('session/list', ({ params }) => {
    if (!params.cursor) return { sessions: [], nextCursor: 'more' };
    listed++;
    const title = listed === 1 ? 'New session - 2026-01-01' : 'Named in the list';
    return { sessions: [...sessions].map(([sessionId, { cwd }]) => ({ sessionId, cwd, title })) };
  })
  .onRequest('session/set_config_option', ({ params }) => {
    mode = params.value;
    return { configOptions: configOptions() };
  })
  .onRequest('session/prompt', ({ params, client }) => prompt(params, client))
  .onNotification('session/cancel', ({ params }) => cancels.get(params.sessionId)?.abort())
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
connection.closed.then(() => process.exit(0));

/** Some agents still talk, and say what they have used. */
async function cancelled(client, sessionId) {
  if (!SCRIPTED_LAST_WORDS) return { stopReason: 'cancelled' };
  const content = { type: 'text', text: SCRIPTED_LAST_WORDS };
  await update(client, sessionId, { sessionUpdate: 'agent_message_chunk', messageId: 'last-words', content });
  return { stopReason: 'cancelled', usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } };
}

async function prompt({ sessionId, prompt: blocks }, client) {
  const session = sessions.get(sessionId);
  if (!session) throw acp.RequestError.resourceNotFound(sessionId);
  await lateReplay();
  const cancel = new AbortController();
  cancels.set(sessionId, cancel);
  const text = blocks.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n');
  const context = { sessionId, session, client, signal: cancel.signal, said: [...session.heard], text };
  session.heard.push(text);
  save();
  for (const line of text.split('\n')) {
    const [, name, rest = ''] = /^\/(\w+) ?(.*)$/.exec(line) ?? [];
    if (name && STEPS[name]) await STEPS[name](context, rest);
    if (cancel.signal.aborted) return cancelled(client, sessionId);
  }
  const failed = text.includes('/complain');
  if (!failed) turns++;
  const times = SCRIPTED_TOTALS ? turns : 1;
  const usage = { inputTokens: 10 * times, outputTokens: 5 * times, totalTokens: 15 * times };
  return { stopReason: 'end_turn', usage };
}

const STEPS = {
  say: ({ client, sessionId }, text) => say(client, sessionId, text),
  think: ({ client, sessionId }, text) =>
    update(client, sessionId, { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } }),
  /** Says everything that it was ever told. */
  recall: ({ client, sessionId, said, text }) => say(client, sessionId, `I know: ${[...said, text].join(' | ')}`),
  mode: ({ client, sessionId }) => say(client, sessionId, `mode ${mode}`),
  env: ({ client, sessionId }, name) => say(client, sessionId, `${name}=${process.env[name]}`),
  /** Runs a command itself, not in a terminal of the host. */
  shell: ({ session }, command) =>
    new Promise((resolve) => execFile('sh', ['-c', command], { cwd: session.cwd }, () => resolve())),
  servers: ({ client, sessionId }) => say(client, sessionId, JSON.stringify(mcpServers)),
  folders: ({ client, sessionId }) => say(client, sessionId, JSON.stringify(folders ?? 'none')),
  /** Says that its model failed, and ends the turn as if it had not. */
  complain: ({ client, sessionId }, why) => say(client, sessionId, `Error: ${why}`),
  /** Calls a tool under the name that it is given. */
  async call({ client, sessionId }, title) {
    const toolCallId = await begin(client, sessionId, { title, kind: 'other', rawInput: {} });
    await end(client, sessionId, toolCallId, {});
  },
  /** Goes over to another mode by itself. */
  async switch({ client, sessionId }, to) {
    mode = to;
    await update(client, sessionId, { sessionUpdate: 'current_mode_update', currentModeId: to });
  },
  /** Asks for a permission, then a question, and takes each back when a file says so: `regret-1`, `regret-2`. */
  async regret({ client, sessionId, session }, file) {
    const path = join(session.cwd, file);
    const call = { title: `Write ${file}`, kind: 'edit', rawInput: { file } };
    const toolCallId = await begin(client, sessionId, call);
    const toolCall = { toolCallId, content: [{ type: 'diff', path, oldText: null, newText: 'x' }] };
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    const when = (step) => join(session.cwd, `regret-${step}`);
    await takenBack(when(1), 'session/request_permission', { sessionId, toolCall, options });
    const requestedSchema = { type: 'object', properties: { answer: { type: 'string' } } };
    await takenBack(when(2), 'elicitation/create', { sessionId, mode: 'form', message: 'Well?', requestedSchema });
    await say(client, sessionId, 'never mind');
  },
  pid: ({ client, sessionId }) => say(client, sessionId, `pid ${process.pid}`),
  async stream({ client, sessionId, signal }) {
    for (let word = 1; !signal.aborted; word++) {
      await say(client, sessionId, `word${word} `);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  },
  /** Asks, then writes the file itself. */
  async write({ client, sessionId, session, signal }, rest) {
    const [, file, text] = /^(\S+) (.*)$/.exec(rest);
    const path = join(session.cwd, file);
    const diff = { type: 'diff', path, oldText: read(path), newText: `${text}\n` };
    const toolCallId = await begin(client, sessionId, { title: `Write ${file}`, kind: 'edit', rawInput: { file } });
    const toolCall = { toolCallId, content: [diff] };
    if (!(await allowed(client, sessionId, toolCall, signal))) return fail(client, sessionId, toolCallId);
    writeFileSync(path, `${text}\n`);
    await end(client, sessionId, toolCallId, { content: [diff] });
  },
  /** Asks for several files at once. */
  both: (context, files) => Promise.all(files.split(' ').map((file) => STEPS.write(context, `${file} text`))),
  /** Replaces some words of a file without asking, and tells of them before (`early`) or only when it is done (`late`). */
  async edit({ client, sessionId, session }, rest) {
    const [, when, file, oldText, newText] = /^(early|late) (\S+) (.*?)=>(.*)$/.exec(rest);
    const path = join(session.cwd, file);
    const content = [{ type: 'diff', path, oldText, newText }];
    const call = { title: `Edit ${file}`, kind: 'edit', rawInput: { file }, ...(when === 'early' && { content }) };
    const toolCallId = await begin(client, sessionId, call);
    await heard(client, sessionId);
    writeFileSync(path, read(path).replaceAll(oldText, newText));
    await end(client, sessionId, toolCallId, when === 'late' ? { content } : {});
  },
  /** Writes a file without asking and without a word of what was there. */
  async overwrite({ client, sessionId, session }, rest) {
    const [, file, text] = /^(\S+) (.*)$/.exec(rest);
    const path = join(session.cwd, file);
    const content = [{ type: 'diff', path, oldText: null, newText: `${text}\n` }];
    const call = { title: `Write ${file}`, kind: 'edit', rawInput: { file }, content };
    const toolCallId = await begin(client, sessionId, call);
    await heard(client, sessionId);
    writeFileSync(path, `${text}\n`);
    await end(client, sessionId, toolCallId, {});
  },
  /** Writes through the client. */
  async put({ client, sessionId, session }, rest) {
    const [, file, content] = /^(\S+) (.*)$/.exec(rest);
    try {
      await client.request('fs/write_text_file', { sessionId, path: join(session.cwd, file), content });
      const read = await client.request('fs/read_text_file', { sessionId, path: join(session.cwd, file) });
      await say(client, sessionId, `file: ${read.content}`);
    } catch (error) {
      await say(client, sessionId, `no file: ${error.message}`);
    }
  },
  /** Runs a command in a terminal of the client. */
  async run({ client, sessionId, signal }, command) {
    const toolCallId = await begin(client, sessionId, { title: command, kind: 'execute', rawInput: { command } });
    if (!(await allowed(client, sessionId, { toolCallId }, signal))) return fail(client, sessionId, toolCallId);
    const terminal = await client.createTerminal({ sessionId, command });
    const content = [{ type: 'terminal', terminalId: terminal.id }];
    await update(client, sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress', content });
    const { exitCode } = await terminal.waitForExit();
    const { output } = await terminal.currentOutput();
    await terminal.release();
    await end(client, sessionId, toolCallId, { rawOutput: { output, exit_code: exitCode } });
  },
  /** Asks for one command, and before there is an answer for another one under the same id. */
  async twice({ client, sessionId, signal }, rest) {
    const commands = rest.split(' then ');
    const toolCallId = await begin(client, sessionId, { title: 'Run', kind: 'execute', rawInput: { command: 'none' } });
    const ask = (command) =>
      allowed(client, sessionId, { toolCallId, title: `Run ${command}`, rawInput: { command } }, signal);
    const answers = await Promise.all(commands.map(ask));
    await say(client, sessionId, commands.map((command, index) => `${command}: ${answers[index]}`).join(', '));
    await end(client, sessionId, toolCallId, {});
  },
  /** Asks for one command, and changes it while the question is open: when a file `change` is there. */
  async swap({ client, sessionId, session, signal }, rest) {
    const [first, second] = rest.split(' for ');
    const toolCallId = await begin(client, sessionId, { title: first, kind: 'execute', rawInput: { command: first } });
    const answer = allowed(client, sessionId, { toolCallId }, signal);
    while (!existsSync(join(session.cwd, 'change'))) await new Promise((resolve) => setTimeout(resolve, 20));
    const call = { toolCallId, title: second, rawInput: { command: second } };
    await update(client, sessionId, { sessionUpdate: 'tool_call_update', ...call });
    await say(client, sessionId, `allowed: ${await answer}`);
    await end(client, sessionId, toolCallId, {});
  },
  /** Runs a command in a terminal of the client without a word about it. */
  async secretly({ client, sessionId }, command) {
    const terminal = await client.createTerminal({ sessionId, command });
    await terminal.waitForExit();
    await terminal.release();
  },
  /** Starts a command in a terminal of the client and never comes back to it. */
  async leave({ client, sessionId }, command) {
    await client.createTerminal({ sessionId, command });
  },
  /** Runs a command in one terminal after the other, done with each before the next, and shows the last. */
  async again({ client, sessionId }, rest) {
    const [, times, command] = /^(\d+) (.*)$/.exec(rest);
    const toolCallId = await begin(client, sessionId, { title: command, kind: 'execute', rawInput: { command } });
    let terminal;
    for (let ran = 0; ran < Number(times); ran++) {
      terminal = await client.createTerminal({ sessionId, command });
      await terminal.waitForExit();
      await terminal.release();
    }
    await end(client, sessionId, toolCallId, { content: [{ type: 'terminal', terminalId: terminal.id }] });
  },
  /** Runs a command by itself, and does not mind being cancelled. */
  async own({ client, sessionId, signal }, command) {
    const toolCallId = await begin(client, sessionId, { title: command, kind: 'execute', status: 'in_progress' });
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.on('data', (data) => {
      const _meta = { terminal_output_delta: { data: String(data), terminal_id: toolCallId } };
      void update(client, sessionId, { sessionUpdate: 'tool_call_update', toolCallId, _meta });
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    await Promise.race([ended, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
    if (!signal.aborted) await end(client, sessionId, toolCallId, {});
  },
  async ask({ client, sessionId }, question) {
    const [message, ...options] = question.split('|').map((part) => part.trim());
    const property = {
      type: 'string',
      title: message,
      oneOf: options.map((option) => ({ const: option, title: option })),
    };
    const requestedSchema = { type: 'object', properties: { answer: property }, required: ['answer'] };
    const answer = await client.request('elicitation/create', { sessionId, mode: 'form', message, requestedSchema });
    await say(client, sessionId, `${answer.action} ${answer.content?.answer ?? ''}`);
  },
  /** Asks questions as if for a permission, and says what it got, as Qwen Code does. */
  async survey({ client, sessionId }, rest) {
    const [question, ...labels] = rest.split('|').map((part) => part.trim());
    const toolCallId = await begin(client, sessionId, { title: 'Ask user 1 question', kind: 'other', rawInput: {} });
    const questions = [{ question, header: 'Survey', options: labels.map((label) => ({ label })), multiSelect: false }];
    const _meta = { toolName: 'ask_user_question', qwenInteractionKind: 'user_question', qwenQuestions: questions };
    const toolCall = { toolCallId, title: 'Ask user 1 question', kind: 'other', _meta };
    const options = [
      { optionId: 'proceed_once', name: 'Submit', kind: 'allow_once' },
      { optionId: 'cancel', name: 'Cancel', kind: 'reject_once' },
    ];
    const { outcome, answers } = await client.request('session/request_permission', { sessionId, toolCall, options });
    await end(client, sessionId, toolCallId, {});
    await say(client, sessionId, `${outcome.optionId} ${JSON.stringify(answers)}`);
  },
  async plan({ client, sessionId }, rest) {
    const entries = rest.split(',').map((step) => {
      const [content, status = 'pending'] = step.split('=');
      return { content, status, priority: 'medium' };
    });
    await update(client, sessionId, { sessionUpdate: 'plan', entries });
  },
  title: ({ client, sessionId }, title) => update(client, sessionId, { sessionUpdate: 'session_info_update', title }),
  fail(_context, message) {
    throw new acp.RequestError(-32603, message);
  },
  crash() {
    process.stderr.write('I feel unwell\n');
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  },
  /** Writes what no agent should. */
  async nonsense({ client, sessionId }) {
    const lines = [
      'not json',
      '[]',
      'null',
      '{"jsonrpc":"2.0","id":77,"result":{}}',
      '{"jsonrpc":"2.0","method":"what/ever"}',
    ];
    const updates = [null, 7, {}, { sessionUpdate: 'tool_call' }, { sessionUpdate: 'tool_call_update', toolCallId: 5 }];
    const strange = [
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 9 } },
      { sessionUpdate: 'plan' },
    ];
    for (const line of lines) process.stdout.write(`${line}\n`);
    for (const one of [...updates, ...strange]) await update(client, sessionId, one);
  },
  /** Speaks of sessions, calls and terminals that are not its own. */
  async strangers({ client, sessionId }) {
    const ids = ['session-1-0', `session-${process.ppid}-0`, '', '__proto__', 'ahp-chat:/x'];
    for (const id of ids) await say(client, id, 'for somebody else');
    const update = { sessionUpdate: 'tool_call_update', toolCallId: 'never-begun', status: 'completed' };
    await client.notify('session/update', { sessionId: 'session-1-0', update });
    const asking = [
      client.request('terminal/output', { sessionId, terminalId: 'not-mine' }),
      client.request('terminal/kill', { sessionId, terminalId: '../x' }),
      client.request('fs/read_text_file', { sessionId: 'session-1-0', path: '/etc/passwd' }),
      client.request('fs/read_text_file', { sessionId, path: '/etc/passwd' }),
      client.request('fs/write_text_file', { sessionId, path: '/proc/self/mem', content: 'x' }),
      client.request('no/such_method', {}),
    ];
    const outcomes = await Promise.allSettled(asking);
    await say(client, sessionId, outcomes.map(({ status }) => status).join(' '));
  },
  /** One very long word, and a very long list. */
  async giant({ client, sessionId }) {
    await say(client, sessionId, 'x'.repeat(4 * 1024 * 1024));
    const entries = Array.from({ length: 20_000 }, (_, i) => ({
      content: `step ${i}`,
      status: 'pending',
      priority: 'low',
    }));
    await update(client, sessionId, { sessionUpdate: 'plan', entries });
  },
  /** A line without an end. */
  flood: () => new Promise(() => setInterval(() => process.stdout.write('x'.repeat(1024 * 1024)), 1)),
  /** Neither answers nor listens. */
  hang: () => new Promise(() => {}),
  pause: (_context, milliseconds) => new Promise((resolve) => setTimeout(resolve, Number(milliseconds))),
  async late({ client, sessionId }, text) {
    setTimeout(() => void say(client, sessionId, text), 50);
  },
};

function update(client, sessionId, value) {
  return client.notify('session/update', { sessionId, update: value });
}

function say(client, sessionId, text) {
  return update(client, sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
}

async function begin(client, sessionId, call) {
  const toolCallId = `call-${process.pid}-${++calls}`;
  await update(client, sessionId, { sessionUpdate: 'tool_call', toolCallId, status: 'pending', ...call });
  return toolCallId;
}

async function allowed(client, sessionId, toolCall, signal) {
  if (mode === 'bold') return true;
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'always', name: 'Always', kind: 'allow_always' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
  const { outcome } = await client.request('session/request_permission', { sessionId, toolCall, options });
  if (outcome.optionId === 'always') mode = 'bold';
  return !signal.aborted && outcome.outcome === 'selected' && outcome.optionId !== 'no';
}

/** Sends a request and, once a file is there, that it is of no interest any more. */
async function takenBack(file, method, params) {
  const id = `regret-${++calls}`;
  const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  write({ id, method, params });
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
  write({ method: '$/cancel_request', params: { requestId: id } });
}

/** The client has looked at everything that it was told before: it answers in order. */
async function heard(client, sessionId) {
  await client.request('fs/read_text_file', { sessionId, path: '/nowhere' }).catch(() => {});
}

function end(client, sessionId, toolCallId, more) {
  return update(client, sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', ...more });
}

function fail(client, sessionId, toolCallId) {
  return update(client, sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' });
}

function configOptions() {
  const options = ['careful', 'bold'].map((value) => ({ value, name: value }));
  return [{ id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: mode, options }];
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function load() {
  try {
    return JSON.parse(readFileSync(SCRIPTED_STATE, 'utf8'));
  } catch {
    return {};
  }
}

function save() {
  if (SCRIPTED_STATE) writeFileSync(SCRIPTED_STATE, JSON.stringify(Object.fromEntries(sessions)));
}
