// A small client in a terminal: joins the newest session of a host, or starts one, and talks to its agent.
// Run it twice to see two clients share a session:  npm run chat   (see --help)
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { connect, turnCancelled, turnStarted } from '@moorage/client';
import { openRequests } from '@moorage/protocol';

const dataDir = join(process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'moorage');
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'ws://127.0.0.1:7433/' },
    'token-file': { type: 'string', default: join(dataDir, 'token') },
    new: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('usage: npm run chat -- [--url ws://...] [--token-file FILE] [--new]   (--new starts another session)');
  process.exit(0);
}

const client = await connect({
  clientInfo: { name: 'moorage-example' },
  url: values.url,
  token: readToken(values['token-file']),
}).catch((error) => {
  console.error(`cannot connect to ${values.url}: ${error.message}\nIs the host running? Start it with: npm start`);
  process.exit(1);
});
client.onStatus((status) => console.log(`\n[${status}]`));

const uri = (values.new ? undefined : await newestSession()) ?? (await startSession());
const session = await client.session(uri);
const chat = await client.chat(session.confirmed.defaultChat);
console.log(`session ${uri}: ${session.confirmed.title}`);
for (const turn of chat.confirmed.turns.slice(-3)) {
  console.log(`\n> ${turn.message.text}\n${textOf(turn.responseParts)}[${turn.state}]`);
}

chat.onAction(({ action, rejectionReason }) =>
  rejectionReason ? console.log(`[rejected: ${rejectionReason}]`) : show(action),
);
const input = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
input.on('line', (line) => {
  if (line.trim() !== '') answer(line.trim()).catch((error) => console.log(`[${error.message}]`));
  input.prompt();
});
input.on('close', () => client.close());
remind();
input.prompt();

/** A line is an answer where one is waited for, else a message to the agent. */
function answer(line) {
  const { activeTurn } = chat.optimistic;
  const call = waitingCall();
  if (call) {
    const approved = /^y/i.test(line);
    const decision = approved ? { approved, confirmed: 'user-action' } : { approved, reason: 'denied' };
    const { toolCallId } = call;
    return chat.dispatch({ type: 'chat/toolCallConfirmed', turnId: activeTurn.id, toolCallId, ...decision });
  }
  const [request] = openRequests(chat.optimistic);
  if (request) {
    const answers = Object.fromEntries(
      (request.questions ?? []).map((question) => [question.id, valueFor(question, line)]),
    );
    return chat.dispatch({ type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers });
  }
  const message = { text: line, origin: { kind: 'user' } };
  if (line === '/cancel' && activeTurn) return chat.dispatch(turnCancelled(activeTurn));
  if (activeTurn)
    return chat.dispatch({ type: 'chat/pendingMessageSet', kind: 'queued', id: crypto.randomUUID(), message });
  return chat.dispatch(turnStarted(crypto.randomUUID(), message));
}

function show(action) {
  switch (action.type) {
    case 'chat/turnStarted':
      return console.log(`\n> ${action.message.text}`);
    case 'chat/responsePart':
      return process.stdout.write(action.part.content ?? '');
    case 'chat/delta':
    case 'chat/reasoning':
      return process.stdout.write(action.content);
    case 'chat/toolCallStart':
      return console.log(`\n[${action.displayName}]`);
    case 'chat/toolCallReady':
    case 'chat/inputRequested':
      return setImmediate(remind); // once the mirror has it
    case 'chat/toolCallComplete':
      return console.log(`[${plain(action.result.pastTenseMessage)}]`);
    case 'chat/turnComplete':
    case 'chat/turnCancelled':
      return console.log(`\n[${action.type.slice('chat/'.length)}]`);
    case 'chat/error':
      return console.log(`\n[error: ${action.part.error.message}]`);
  }
}

/** Says what the agent waits for, if it does. */
function remind() {
  const call = waitingCall();
  if (call) console.log(`\n${plain(call.invocationMessage)}. Allow it? (y/n)`);
  for (const request of openRequests(chat.confirmed)) {
    for (const { message, options } of request.questions ?? []) {
      console.log(`\n${message}${options ? ` (${options.map((option) => option.label).join(', ')})` : ''}`);
    }
  }
}

function waitingCall() {
  const parts = chat.confirmed.activeTurn?.responseParts ?? [];
  return parts.find((part) => part.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation')?.toolCall;
}

function valueFor(question, line) {
  if (question.kind !== 'single-select') return { state: 'submitted', value: { kind: 'text', value: line } };
  const option = question.options.find((candidate) => candidate.label.toLowerCase() === line.toLowerCase());
  return { state: 'submitted', value: { kind: 'selected', value: option?.id ?? line } };
}

async function newestSession() {
  const { items } = await client.request('listSessions');
  return items[0]?.resource;
}

async function startSession() {
  const channel = `ahp-session:/${crypto.randomUUID()}`;
  const { defaultDirectory } = client.hostInfo;
  await client.request('createSession', { channel, workingDirectories: defaultDirectory ? [defaultDirectory] : [] });
  return channel;
}

function readToken(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    console.error(`cannot read the token in ${file}. Start a host with: npm start`);
    process.exit(1);
  }
}

function textOf(parts) {
  return parts.map((part) => (part.kind === 'markdown' ? `${part.content}\n` : '')).join('');
}

function plain(text) {
  return typeof text === 'string' ? text : text.markdown;
}
