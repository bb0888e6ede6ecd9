import { inProject } from './place.mjs';

/** A picture of one pixel. A longer one is not kept in the conversation, but beside it. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const sessionUri = (name) => `ahp-session:/old-${name}`;
const chatUri = (name) => `ahp-chat:/old-${name}`;
const said = (text, attachments) => ({ text, origin: { kind: 'user' }, ...(attachments && { attachments }) });

/** What was done and is over when the host is stopped for the first time. */
export async function finishedScenes(wire) {
  await conversation(wire);
  await reviewed(wire);
  await chats(wire);
  await selections(wire);
  await settings(wire);
  await flags(wire);
  await usage(wire);
  await removed(wire);
  const config = { keepEndedSessionsDays: '365', worktreeOnEnd: 'remove-if-clean' };
  await wire.act('ahp-root://', { type: 'root/configChanged', config });
}

/** What is under way when the host is killed. */
export async function openScenes(wire) {
  await goneOn(wire);
  await question(wire);
  await approval(wire);
  await running(wire);
  await activeClient(wire);
}

async function conversation(wire) {
  const { session, chat } = await newSession(wire, 'conversation', { _meta: { 'acme.note': { steering: 'mine' } } });
  await turn(wire, chat, 'talk', '/title A conversation\n/think First I think.\n/say Hello **there**.\n/usage 120 45');
  await turn(wire, chat, 'edits', [
    '/auto on',
    '/write notes.txt first line\\nsecond line\\n',
    '/replace main.txt line 3 => line three',
    '/append other.txt four\\n',
    '/rename other.txt moved.txt',
    '/delete gone.txt',
    '/read main.txt',
    '/run printf "out of a command"',
    '/say Edited.',
  ]);
  await turn(wire, chat, 'failed', '/say Before it fails.\n/fail the disk is full');
  await turn(wire, chat, 'crashed', '/say Before it crashes.\n/crash');
  await begin(wire, chat, 'cancelled', '/say Begun.\n/wait 600000');
  await heard(wire, chat, 'Begun.');
  await wire.act(chat, { type: 'chat/turnCancelled', turnId: 'cancelled' });
  await ended(wire, chat, 'cancelled');

  await begin(wire, chat, 'denied', '/auto off\n/write never.txt x\n/say Then not.');
  const { toolCallId } = await wire.action(chat, 'chat/toolCallReady', ({ turnId }) => turnId === 'denied');
  const denial = { approved: false, reason: 'denied', reasonMessage: 'Not this file.' };
  await wire.act(chat, { type: 'chat/toolCallConfirmed', turnId: 'denied', toolCallId, ...denial });
  await ended(wire, chat, 'denied');

  await begin(wire, chat, 'asked', '/ask Which colour? | red | blue\n/say Good.');
  const { request } = await wire.action(chat, 'chat/inputRequested');
  const steering = { type: 'chat/pendingMessageSet', kind: 'steering', id: 'steer', message: said('/say Steered.') };
  await wire.act(chat, steering);
  const answer = { state: 'submitted', value: { kind: 'selected', value: request.questions[0].options[1].id } };
  const answers = { [request.questions[0].id]: answer };
  await wire.act(chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers });
  await ended(wire, chat, 'asked');

  await turn(wire, chat, 'attached', '/say I see it.', [
    { type: 'embeddedResource', label: 'pixel.png', contentType: 'image/png', data: PICTURE, displayKind: 'image' },
    { type: 'embeddedResource', label: 'large.png', contentType: 'image/png', data: 'iVBO'.repeat(10_000) },
    {
      type: 'resource',
      label: 'main.txt',
      uri: inProject('main.txt'),
      displayKind: 'file',
      _meta: { path: 'main.txt' },
    },
    { type: 'simple', label: 'a note', modelRepresentation: 'remember this', _meta: { 'acme.path': 'mine' } },
  ]);
  await turn(wire, chat, 'cut', '/say This turn is cut off.');
  await wire.act(chat, { type: 'chat/truncated', turnId: 'attached' });
  await newSession(wire, 'fork', { fork: { session, turnId: 'talk' } });
}

/** Comments on changes, a revert that can be undone, review marks, staged files. */
async function reviewed(wire) {
  const { session, chat } = await newSession(wire, 'reviewed');
  await turn(wire, chat, 'first', '/auto on\n/replace main.txt line 7 => line seven\n/write review.txt a\\nb\\nc\\n');
  await turn(wire, chat, 'second', '/replace main.txt line 10 => line ten\n/append review.txt d\\n');
  await comment(wire, session);
  await turn(wire, chat, 'answering', '/say About the comments.', [
    { type: 'annotations', label: 'comments', resource: `${session}/annotations`, annotationIds: ['open'] },
  ]);
  const changes = (kind) => `ahp-changeset:/${session.slice('ahp-session:/'.length)}/changeset/${kind}`;
  const operate = async (channel, operationId, target) => {
    const state = await ready(wire, channel);
    const file = target && state.files.find(({ edit }) => (edit.after ?? edit.before).uri.endsWith(target));
    const wanted = file && { kind: 'resource', resource: (file.edit.after ?? file.edit.before).uri };
    await wire.request('invokeChangesetOperation', { channel, operationId, ...(wanted && { target: wanted }) });
    wire.unsubscribe(channel);
  };
  await operate(changes('turn/second'), 'revert', 'review.txt');
  await operate(changes('turn/first'), 'keep', 'main.txt');
  await operate(changes('uncommitted'), 'stage', 'review.txt');
  await wire.act(session, { type: 'session/titleChanged', title: 'Named by a user' });
}

async function comment(wire, session) {
  const channel = `${session}/annotations`;
  await wire.subscribe(channel);
  const lines = (start, end) => ({ start: { line: start, character: 0 }, end: { line: end, character: 0 } });
  const put = (id, turnId, range, _meta) =>
    wire.act(channel, {
      type: 'annotations/set',
      annotation: {
        id,
        turnId,
        resource: inProject('main.txt'),
        range,
        resolved: false,
        entries: [{ id: `${id}-entry`, text: `Why? (${id})` }],
        ...(_meta && { _meta }),
      },
    });
  await put('open', 'second', lines(9, 10));
  await put('before', 'first', lines(6, 7), { side: 'before', 'acme.side': 'mine' });
  await put('done', 'first', lines(6, 7));
  await wire.act(channel, {
    type: 'annotations/entrySet',
    annotationId: 'done',
    entry: { id: 'reply', text: 'Fixed.' },
  });
  await wire.act(channel, { type: 'annotations/updated', annotationId: 'done', resolved: true });
  await put('removed', 'first', lines(0, 1));
  await wire.act(channel, { type: 'annotations/removed', annotationId: 'removed' });
}

/** Several chats: by a user, as a fork, of a sub-agent, and one that was removed. */
async function chats(wire) {
  const { session, chat } = await newSession(wire, 'chats');
  await turn(wire, chat, 'spawning', '/spawn /say From below.\n/say Back again.');
  const second = chatUri('second');
  const model = { id: 'script', config: { pace: 'slow' } };
  await wire.request('createChat', {
    channel: session,
    chat: second,
    model,
    initialMessage: said('/say In the second.'),
  });
  await wire.subscribe(second);
  await wire.shown(second, ({ turns }) => turns[0]);
  const fork = chatUri('fork-of-chat');
  await wire.request('createChat', { channel: session, chat: fork, source: { chat, turnId: 'spawning' } });
  const gone = chatUri('gone');
  await wire.request('createChat', { channel: session, chat: gone });
  await wire.request('disposeChat', { channel: gone });
  await wire.act(session, { type: 'session/defaultChatChanged', defaultChat: second });
}

/** A model and a custom agent that were chosen at the start, and ones that were chosen later. */
async function selections(wire) {
  const agent = { uri: inProject('.claude/agents/reviewer.md') };
  const { chat } = await newSession(wire, 'model-at-start', {
    model: { id: 'script', config: { pace: 'fast' } },
    agent,
  });
  await turn(wire, chat, 'with-model', '/say With a model.');
  const { session } = await newSession(wire, 'model-later');
  await wire.act(session, { type: 'session/modelChanged', model: { id: 'script', config: { pace: 'later' } } });
  await wire.act(session, { type: 'session/agentChanged', agent });
}

/** Settings that were changed, and customizations that were switched off. */
async function settings(wire) {
  const { session } = await newSession(wire, 'settings');
  await wire.act(session, { type: 'session/configChanged', config: { baseBranch: 'main' } });
  const found = await wire.shown(session, ({ customizations = [] }) => {
    const plugin = customizations.find(({ type, name }) => type === 'plugin' && name === 'helpers');
    const rules = customizations.find(({ type, uri }) => type === 'directory' && uri.endsWith('.claude/rules'));
    const server = customizations.find(({ type, name }) => type === 'mcpServer' && name === 'other');
    return plugin?.load?.kind === 'loaded' && rules && server ? [plugin, rules, server] : undefined;
  });
  for (const { id } of found) await wire.act(session, { type: 'session/customizationToggled', id, enabled: false });
}

async function flags(wire) {
  const archived = await newSession(wire, 'archived');
  await turn(wire, archived.chat, 'old', '/title Archived\n/say Long ago.');
  await wire.act(archived.session, { type: 'session/isReadChanged', isRead: true });
  await wire.act(archived.session, { type: 'session/isArchivedChanged', isArchived: true });
  const unread = await newSession(wire, 'unread');
  await turn(wire, unread.chat, 'updates', '/title Unread\n/say News.');
  await wire.act(unread.session, { type: 'session/isReadChanged', isRead: true });
  await wire.act(unread.session, { type: 'session/isReadChanged', isRead: false });
}

async function usage(wire) {
  const { chat } = await newSession(wire, 'usage', { provider: 'usage' });
  await turn(wire, chat, 'counted', 'Count, please.');
}

/** Two removed sessions: one in the folder, one in a work tree of its own that was kept. */
async function removed(wire) {
  const plain = await newSession(wire, 'removed');
  await turn(wire, plain.chat, 'kept', '/title Removed\n/say Still here.');
  await wire.request('disposeSession', { channel: plain.session });
  const config = { isolation: 'worktree', branchName: 'old-branch', worktreeOnEnd: 'keep' };
  const { session, chat } = await newSession(wire, 'removed-worktree', { config });
  await turn(wire, chat, 'elsewhere', '/auto on\n/write elsewhere.txt in the work tree\\n');
  await wire.request('disposeSession', { channel: session });
}

/** A session of before the restart that is used again, so that its state is a snapshot with a log after it. */
async function goneOn(wire) {
  const session = sessionUri('unread');
  const { defaultChat } = await wire.subscribe(session);
  await wire.subscribe(defaultChat);
  await turn(wire, defaultChat, 'more-news', '/think Again.\n/say More updates.\n/read main.txt');
}

/** Two chats with open questions and drafts of the answers, and messages that wait behind the first. */
async function question(wire) {
  const { session, chat } = await newSession(wire, 'question');
  await turn(wire, chat, 'before-question', '/say Soon I ask.');
  await begin(wire, chat, 'choosing', '/think Hm.\n/ask Which one? | red | blue\n/say Thanks.');
  await draft(wire, chat, ({ options }) => ({ kind: 'selected', value: options[0].id }));
  for (const id of ['one', 'two', 'three']) {
    await wire.act(chat, { type: 'chat/pendingMessageSet', kind: 'queued', id, message: said(`/say Queued ${id}.`) });
  }
  await wire.act(chat, { type: 'chat/queuedMessagesReordered', order: ['three', 'one', 'two'] });
  await wire.act(chat, { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'two' });
  const message = said('/say Steered later.');
  await wire.act(chat, { type: 'chat/pendingMessageSet', kind: 'steering', id: 'waiting-steering', message });
  const other = chatUri('free-text');
  await wire.request('createChat', { channel: session, chat: other });
  await wire.subscribe(other);
  await begin(wire, other, 'telling', '/ask What is your name?\n/say Hello.');
  await draft(wire, other, () => ({ kind: 'text', value: 'half an ans' }));
}

async function draft(wire, chat, toValue) {
  const { request } = await wire.action(chat, 'chat/inputRequested');
  const [{ id: questionId, ...asked }] = request.questions;
  const answer = { state: 'draft', value: toValue(asked) };
  await wire.act(chat, { type: 'chat/inputAnswerChanged', requestId: request.id, questionId, answer });
}

async function approval(wire) {
  const { chat } = await newSession(wire, 'approval');
  await begin(wire, chat, 'approving', '/say I want to write.\n/write approved.txt yes\\n\n/say Written.');
  await wire.action(chat, 'chat/toolCallReady');
}

async function running(wire) {
  const { chat } = await newSession(wire, 'running');
  await begin(wire, chat, 'interrupted', '/say Working on it.\n/wait 600000');
  await heard(wire, chat, 'Working on it.');
}

/** A client with tools and a plugin of its own; one call of its tool is done, one is open. */
async function activeClient(wire) {
  const tools = [{ name: 'look', title: 'Look around', inputSchema: { type: 'object', properties: {} } }];
  const activeClient = { clientId: 'old-client', displayName: 'Old client', tools };
  const { session, chat } = await newSession(wire, 'active-client', { activeClient });
  await begin(wire, chat, 'looked', '/tool look {"at": "house"}\n/say Seen.');
  const { toolCallId } = await wire.action(chat, 'chat/toolCallReady');
  const result = { success: true, pastTenseMessage: 'Looked', content: [{ type: 'text', text: 'a red house' }] };
  await wire.act(chat, { type: 'chat/toolCallComplete', turnId: 'looked', toolCallId, result });
  await ended(wire, chat, 'looked');
  const more = [...tools, { name: 'listen', description: 'Listens' }];
  await wire.act(session, { type: 'session/activeClientToolsChanged', tools: more });
  await begin(wire, chat, 'looking', '/tool look {"at": "garden"}\n/say Seen again.');
  await wire.action(chat, 'chat/toolCallReady', ({ turnId }) => turnId === 'looking');
}

async function newSession(wire, name, params = {}) {
  const session = sessionUri(name);
  await wire.request('createSession', {
    channel: session,
    provider: 'demo',
    workingDirectory: inProject(),
    ...params,
  });
  await wire.subscribe(session);
  const chat = await wire.shown(session, ({ lifecycle, defaultChat }) =>
    lifecycle === 'ready' ? defaultChat : undefined,
  );
  await wire.subscribe(chat);
  return { session, chat };
}

async function turn(wire, chat, turnId, text, attachments) {
  await begin(wire, chat, turnId, [text].flat().join('\n'), attachments);
  await ended(wire, chat, turnId);
}

function begin(wire, chat, turnId, text, attachments) {
  return wire.act(chat, { type: 'chat/turnStarted', turnId, message: said(text, attachments) });
}

/** Waits for the end of a turn, however it ends. */
async function ended(wire, chat, turnId) {
  const ends = new Set(['chat/turnComplete', 'chat/turnCancelled', 'chat/error']);
  const isEnd = ({ channel, action }) => channel === chat && ends.has(action.type) && action.turnId === turnId;
  await wire.find(isEnd, `the end of ${turnId}`);
}

/** Waits until the running turn has said something. */
function heard(wire, chat, text) {
  return wire.shown(chat, ({ activeTurn }) => activeTurn?.responseParts.find(({ content }) => content === text));
}

/** A changeset once it has been computed. */
async function ready(wire, channel) {
  await wire.subscribe(channel);
  return wire.shown(channel, (state) => (state.status === 'ready' ? state : undefined));
}
