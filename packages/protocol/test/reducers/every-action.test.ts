import { describe, expect, it } from 'vitest';
import type { TSchema } from '../../src/common/type.js';
import {
  type ActionOf,
  type ActionType,
  actionTable,
  type ChannelKind,
  type ChannelStates,
  channelRegistry,
  strict,
} from '../../src/index.js';
import { applyAny, deepFreeze, onTheWire, withExtras } from '../support/reducing.js';
import {
  activeTurn,
  annotation,
  automationEntry,
  automationRunState,
  callPart,
  changedFile,
  changesetState,
  chatState,
  chatSummary,
  error,
  finishedTurn,
  markdown,
  mcpServer,
  message,
  plugin,
  reasoning,
  requestPart,
  rootState,
  sessionState,
  terminalState,
  watchState,
} from '../support/samples.js';

const contributor = { kind: 'mcp' as const, customizationId: 'm' };
const auth = { reason: 'required' as const, resource: { resource: 'https://mcp.example' } };
const startedAt = '2026-01-02T03:04:00.000Z';
const work = { id: 'w', kind: 'shell' as const, label: 'Build', startedAt, command: 'make' };
const waiting = { kind: 'chatInput' as const, id: 'w', chat: 'c1', request: { id: 'r' } };
const failed = { kind: 'error' as const, error, resumable: true };

/** One state per kind on which every action finds what it names. */
const states: ChannelStates = {
  root: rootState({ config: { schema: { type: 'object', properties: {} }, values: {} } }),
  session: sessionState({
    lifecycle: 'creating',
    chats: [chatSummary('c1'), chatSummary('c0')],
    defaultChat: 'c1',
    activeClients: [{ clientId: 'laptop', tools: [] }],
    workingDirectories: ['file:///a'],
    inputNeeded: [waiting],
    status: 24,
    config: { schema: { type: 'object', properties: {} }, values: {} },
    customizations: [plugin('p'), mcpServer('m', { state: { kind: 'starting', blocking: true } })],
  }),
  chat: chatState({
    status: 24 + 32,
    turns: [finishedTurn('t0')],
    activeTurn: activeTurn('t', [
      markdown('text'),
      reasoning('thought'),
      callPart({ ...call('streams'), status: 'streaming' }),
      callPart({ ...call('asks'), status: 'pending-confirmation', invocationMessage: '' }),
      callPart({ ...call('runs'), status: 'running', invocationMessage: '', confirmed: 'setting' }),
      callPart({
        ...call('shows'),
        status: 'pending-result-confirmation',
        invocationMessage: '',
        confirmed: 'setting',
        success: true,
        pastTenseMessage: '',
      }),
      callPart({ ...call('mcp'), contributor, status: 'running', invocationMessage: '', confirmed: 'setting' }),
      callPart({
        ...call('token'),
        contributor,
        status: 'auth-required',
        invocationMessage: '',
        confirmed: 'setting',
        auth,
      }),
      requestPart({ id: 'r' }),
    ]),
    backgroundWork: [work],
    workingDirectories: ['file:///a'],
    draft: message('draft'),
    queuedMessages: [
      { id: 'q1', message: message('1') },
      { id: 'q2', message: message('2') },
    ],
  }),
  terminal: terminalState({
    content: [{ type: 'command', commandId: '1', commandLine: 'ls', output: '', timestamp: 0, isComplete: false }],
  }),
  changeset: changesetState({
    files: [changedFile('a')],
    operations: [{ id: 'o', label: 'Undo', scopes: [], status: 'idle' }],
  }),
  annotations: { annotations: [annotation('a')] },
  resourceWatch: watchState(),
  automation: { entries: [automationEntry('a')] },
  automationRun: automationRunState({ sessions: ['s'], primarySession: 's' }),
};

function call(toolCallId: string) {
  return { toolCallId, toolName: 'sh', displayName: 'Shell' };
}

type Payload<A> = A extends unknown ? Omit<A, 'type'> : never;
type Example<T extends ActionType> = [
  payload: Payload<Extract<ActionOf<ChannelKind>, { type: T }>>,
  changes: readonly string[],
];

const turnId = 't';
const tool = { name: 'open' };
const answer = { state: 'skipped' as const };

/** Of every action type an example with the members of the state that it changes. The type makes the list complete. */
const examples: { [T in ActionType]: Example<T> } = {
  'root/agentsChanged': [{ agents: [] }, ['agents']],
  'root/activeSessionsChanged': [{ activeSessions: 1 }, ['activeSessions']],
  'root/terminalsChanged': [{ terminals: [] }, ['terminals']],
  'root/configChanged': [{ config: { a: 1 } }, ['config']],
  'session/ready': [{}, ['lifecycle']],
  'session/creationFailed': [{ error }, ['lifecycle', 'creationError']],
  'session/chatAdded': [{ summary: chatSummary('c2') }, ['chats']],
  'session/chatRemoved': [{ chat: 'c1' }, ['chats', 'defaultChat']],
  'session/chatUpdated': [{ chat: 'c1', changes: { title: 'x' } }, ['chats']],
  'session/defaultChatChanged': [{ defaultChat: 'c2' }, ['defaultChat']],
  'session/chatsReordered': [{ chats: ['c0', 'c1'] }, ['chats']],
  'session/titleChanged': [{ title: 'x' }, ['title']],
  'session/serverToolsChanged': [{ tools: [tool] }, ['serverTools']],
  'session/activeClientSet': [{ activeClient: { clientId: 'phone', tools: [tool] } }, ['activeClients']],
  'session/activeClientRemoved': [{ clientId: 'laptop' }, ['activeClients']],
  'session/workingDirectorySet': [{ directory: 'file:///b' }, ['workingDirectories']],
  'session/workingDirectoryRemoved': [{ directory: 'file:///a' }, ['workingDirectories']],
  'session/workingDirectoryReplaced': [{ directory: 'file:///a', replacement: 'file:///b' }, ['workingDirectories']],
  'session/inputNeededSet': [{ request: { ...waiting, id: 'w2' } }, ['inputNeeded']],
  'session/inputNeededRemoved': [{ id: 'w' }, ['inputNeeded', 'status']],
  'session/customizationsChanged': [{ customizations: [] }, ['customizations']],
  'session/customizationToggled': [{ id: 'p', enablement: [{ kind: 'session', enabled: false }] }, ['customizations']],
  'session/customizationUpdated': [{ customization: plugin('q') }, ['customizations']],
  'session/customizationRemoved': [{ id: 'p' }, ['customizations']],
  'session/mcpServerStateChanged': [{ id: 'm', state: { kind: 'ready' } }, ['customizations']],
  'session/mcpServerStartRequested': [{ id: 'm' }, ['customizations']],
  'session/mcpServerStopRequested': [{ id: 'm' }, ['customizations']],
  'session/mcpServerBackgroundRequested': [{ id: 'm' }, ['customizations']],
  'session/isReadChanged': [{ isRead: true }, ['status']],
  'session/isArchivedChanged': [{ isArchived: true }, ['status']],
  'session/activityChanged': [{ activity: 'x' }, ['activity']],
  'session/changesetsChanged': [{ changesets: [] }, ['changesets']],
  'session/configChanged': [{ config: { a: 1 } }, ['config']],
  'session/metaChanged': [{ _meta: {} }, ['_meta']],
  'chat/turnStarted': [
    { turnId: 't2', startedAt, message: message('x'), queuedMessageId: 'q1' },
    ['activeTurn', 'queuedMessages', 'status', 'modifiedAt'],
  ],
  'chat/delta': [{ turnId, partId: 'text', content: 'x' }, ['activeTurn']],
  'chat/responsePart': [{ turnId, part: markdown('p') }, ['activeTurn']],
  'chat/toolCallStart': [{ turnId, ...call('new') }, ['activeTurn']],
  'chat/toolCallDelta': [{ turnId, toolCallId: 'streams', content: 'x' }, ['activeTurn']],
  'chat/toolCallReady': [{ turnId, toolCallId: 'streams', invocationMessage: '' }, ['activeTurn']],
  'chat/toolCallConfirmed': [{ turnId, toolCallId: 'asks', approved: true, confirmed: 'user-action' }, ['activeTurn']],
  'chat/toolCallComplete': [
    { turnId, toolCallId: 'runs', result: { success: true, pastTenseMessage: '' } },
    ['activeTurn'],
  ],
  'chat/toolCallResultConfirmed': [{ turnId, toolCallId: 'shows', approved: true }, ['activeTurn']],
  'chat/toolCallAuthRequired': [{ turnId, toolCallId: 'mcp', auth }, ['activeTurn']],
  'chat/toolCallAuthResolved': [{ turnId, toolCallId: 'token' }, ['activeTurn']],
  'chat/toolCallContentChanged': [{ turnId, toolCallId: 'runs', content: [] }, ['activeTurn']],
  'chat/turnComplete': [{ turnId, duration: 1 }, ['turns', 'activeTurn', 'status', 'modifiedAt']],
  'chat/turnCancelled': [{ turnId, duration: 1 }, ['turns', 'activeTurn', 'status', 'modifiedAt']],
  'chat/error': [{ turnId, duration: 1, part: failed }, ['turns', 'activeTurn', 'status', 'modifiedAt']],
  'chat/turnResume': [{ turnId: 't0' }, []], // a turn runs
  'chat/turnsLoaded': [{ turns: [finishedTurn('t-1')], turnsNextCursor: '3' }, ['turns', 'turnsNextCursor']],
  'chat/usage': [{ turnId, usage: { inputTokens: 1 } }, ['activeTurn']],
  'chat/reasoning': [{ turnId, partId: 'thought', content: 'x' }, ['activeTurn']],
  'chat/pendingMessageSet': [{ kind: 'steering', id: 's', message: message('s') }, ['steeringMessage']],
  'chat/pendingMessageRemoved': [{ kind: 'queued', id: 'q1' }, ['queuedMessages']],
  'chat/queuedMessagesReordered': [{ order: ['q2'] }, ['queuedMessages']],
  'chat/inputRequested': [{ request: { id: 'r2' } }, ['activeTurn', 'status']],
  'chat/inputAnswerChanged': [{ requestId: 'r', questionId: 'q', answer }, ['activeTurn']],
  'chat/inputCompleted': [{ requestId: 'r', response: 'accept' }, ['activeTurn']],
  'chat/truncated': [{}, ['turns', 'activeTurn', 'status']],
  'chat/draftChanged': [{ draft: message('other') }, ['draft']],
  'chat/activityChanged': [{ activity: 'x' }, ['activity']],
  'chat/isReadChanged': [{ isRead: false }, ['status']],
  'chat/isArchivedChanged': [{ isArchived: true }, ['status']],
  'chat/movableChanged': [{ movable: true }, ['movable']],
  'chat/workingDirectorySet': [{ directory: 'file:///b' }, ['workingDirectories']],
  'chat/workingDirectoryRemoved': [{ directory: 'file:///a' }, ['workingDirectories']],
  'chat/changesetsChanged': [{ changesets: [] }, ['changesets']],
  'chat/backgroundWorkSet': [{ work: { ...work, id: 'w2' } }, ['backgroundWork']],
  'chat/backgroundWorkRemoved': [{ id: 'w' }, ['backgroundWork']],
  'changeset/statusChanged': [{ status: 'computing' }, ['status']],
  'changeset/fileSet': [{ file: changedFile('b') }, ['files']],
  'changeset/fileRemoved': [{ fileId: 'a' }, ['files']],
  'changeset/filesReviewChanged': [{ files: ['a'], reviewed: true }, ['files']],
  'changeset/contentChanged': [{ files: [] }, ['files']],
  'changeset/operationsChanged': [{ operations: [] }, ['operations']],
  'changeset/operationStatusChanged': [{ operationId: 'o', status: 'running' }, ['operations']],
  'changeset/cleared': [{}, ['files']],
  'changeset/disposed': [{}, []],
  'annotations/set': [{ annotation: annotation('b') }, ['annotations']],
  'annotations/updated': [{ annotationId: 'a', resolved: true }, ['annotations']],
  'annotations/removed': [{ annotationId: 'a' }, ['annotations']],
  'annotations/entrySet': [{ annotationId: 'a', entry: { id: 'e2', text: '' } }, ['annotations']],
  'annotations/entryRemoved': [{ annotationId: 'a', entryId: 'e1' }, ['annotations']],
  'terminal/data': [{ data: 'x' }, ['content']],
  'terminal/input': [{ data: 'x' }, []],
  'terminal/resized': [{ cols: 1, rows: 2 }, ['cols', 'rows']],
  'terminal/claimed': [{ claim: { kind: 'client', clientId: 'desk' } }, ['claim']],
  'terminal/titleChanged': [{ title: 'x' }, ['title']],
  'terminal/cwdChanged': [{ cwd: 'file:///x' }, ['cwd']],
  'terminal/exited': [{ exitCode: 1 }, ['lifecycle']],
  'terminal/cleared': [{}, ['content']],
  'terminal/commandDetectionAvailable': [{}, ['supportsCommandDetection']],
  'terminal/commandExecuted': [
    { commandId: '2', commandLine: 'make', timestamp: 1 },
    ['content', 'supportsCommandDetection'],
  ],
  'terminal/commandFinished': [{ commandId: '1' }, ['content']],
  'resourceWatch/changed': [{ changes: { items: [] } }, []],
  'automation/createRequested': [{ resource: 'b', definition: automationEntry('b').definition }, []], // the host sets it
  'automation/updateRequested': [{ resource: 'a', changes: { enabled: false } }, []],
  'automation/set': [{ automation: automationEntry('b') }, ['entries']],
  'automation/removed': [{ resource: 'a' }, ['entries']],
  'automationRun/lifecycleChanged': [{ lifecycle: { status: 'running', createdAt: '', startedAt } }, ['lifecycle']],
  'automationRun/sessionSet': [{ session: 's2' }, ['sessions']],
  'automationRun/sessionRemoved': [{ session: 's' }, ['sessions', 'primarySession']],
  'automationRun/primarySessionChanged': [{ primarySession: 's2' }, ['primarySession']],
  'automationRun/cancelRequested': [{}, []],
};

it('the examples name every action type', () => {
  expect(Object.keys(examples).sort()).toEqual(Object.keys(actionTable).sort());
  expect(Object.keys(actionTable)).toHaveLength(105);
});

const cases: [string, [object, readonly string[]]][] = Object.entries(examples);

describe.each(cases)('%s', (type, [payload, changes]) => {
  const { kind, schema } = actionTable[type as ActionType];
  const action = deepFreeze({ type, ...payload });
  const before = deepFreeze(withExtras<object>(states[kind]));

  it('is a valid action on a valid state and gives one', () => {
    const state = strict(channelRegistry[kind].state);
    expect(strict<TSchema>(schema).explain(action)).toBeUndefined();
    expect(state.explain(before)).toBeUndefined();
    expect(state.explain(applyAny(kind, before, action))).toBeUndefined();
  });

  it(`changes ${changes.join(', ') || 'nothing'}, and keeps everything else by identity (R-7)`, () => {
    const after = applyAny(kind, before, action);
    const members = new Set([...Object.keys(before), ...Object.keys(after)]);
    const changed = [...members].filter((name) => Reflect.get(after, name) !== Reflect.get(before, name));
    expect(changed.sort()).toEqual([...changes].sort());
    if (changes.length === 0) expect(after).toBe(before);
    expect(onTheWire(after)).toHaveProperty('future', { nested: [1, null] });
  });

  it('R-9 does not read the clock', () => {
    const now = () => {
      throw new Error('it was read');
    };
    expect(() => applyAny(kind, before, action, { now })).not.toThrow();
  });
});
