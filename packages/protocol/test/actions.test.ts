import { describe, expect, it } from 'vitest';
import { ActionType, actionRow, actionTable, channelKinds, isClientDispatchable, kindOfAction } from '../src/index.js';
import { toPlainSchema } from '../src/validation/plain-schema.js';

const types = Object.keys(actionTable);

/** `session/{ready, titleChanged}` spelled out. */
function listed(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [prefix = '', names = ''] = line.trim().split(': ');
      return names.split(' ').map((name) => `${prefix}/${name}`);
    })
    .sort();
}

/** By the types of 1.0.0, and `defaultChatChanged` by its text (D-6). */
const dispatchable = listed(`
  root: configChanged
  session: defaultChatChanged titleChanged activeClientSet activeClientRemoved workingDirectorySet workingDirectoryRemoved workingDirectoryReplaced customizationToggled mcpServerStartRequested mcpServerStopRequested mcpServerBackgroundRequested isReadChanged isArchivedChanged configChanged
  chat: turnStarted toolCallConfirmed toolCallComplete toolCallResultConfirmed toolCallContentChanged turnCancelled turnResume pendingMessageSet pendingMessageRemoved queuedMessagesReordered inputAnswerChanged inputCompleted truncated draftChanged isReadChanged isArchivedChanged workingDirectorySet workingDirectoryRemoved
  changeset: filesReviewChanged
  annotations: set updated removed entrySet entryRemoved
  terminal: input resized claimed titleChanged cleared
  automation: createRequested updateRequested removed
  automationRun: cancelRequested
`);

/** What is not listed appeared in 0.4.0, annotations too (OQ-5), and our own `changeset/disposed` (D-2). */
const since: Record<string, string[]> = {
  '0.1.0': listed(`
    root: agentsChanged activeSessionsChanged terminalsChanged configChanged
    terminal: data input resized claimed titleChanged cwdChanged exited cleared commandDetectionAvailable commandExecuted commandFinished
    session: ready creationFailed titleChanged serverToolsChanged customizationsChanged customizationToggled customizationUpdated isReadChanged isArchivedChanged activityChanged configChanged metaChanged
  `),
  '0.2.0': listed(`
    session: customizationRemoved changesetsChanged
    changeset: statusChanged fileSet fileRemoved operationsChanged cleared
    resourceWatch: changed
  `),
  '0.3.0': listed(`
    session: mcpServerStateChanged
    changeset: operationStatusChanged
  `),
  '0.5.0': listed(`
    session: activeClientSet activeClientRemoved
    chat: draftChanged activityChanged
  `),
  '0.5.1': listed(`
    session: inputNeededSet inputNeededRemoved
    chat: turnsLoaded
  `),
  '0.5.2': listed('session: mcpServerStartRequested mcpServerStopRequested'),
  '0.6.0': listed(`
    chat: toolCallAuthRequired toolCallAuthResolved
    changeset: filesReviewChanged
  `),
  '0.7.0': listed(`
    session: workingDirectorySet workingDirectoryRemoved
    chat: workingDirectorySet workingDirectoryRemoved
  `),
  '0.9.0': listed(`
    session: workingDirectoryReplaced
    chat: turnResume
    automation: createRequested updateRequested set removed
    automationRun: lifecycleChanged sessionSet sessionRemoved primarySessionChanged cancelRequested
  `),
  '1.0.0': listed(`
    session: chatsReordered mcpServerBackgroundRequested
    chat: isReadChanged isArchivedChanged movableChanged changesetsChanged backgroundWorkSet backgroundWorkRemoved
  `),
};

describe('who may send an action', () => {
  it('a client may dispatch exactly these 48', () => {
    expect(types.filter((type) => isClientDispatchable(type)).sort()).toEqual(dispatchable);
    expect(dispatchable).toHaveLength(48);
  });

  it('R-17 a type that is not in the table is not dispatchable', () => {
    for (const type of ['', 'chat', 'chat/', 'chat/unheard', 'constructor'])
      expect(isClientDispatchable(type)).toBe(false);
  });
});

describe('the version in which an action appeared', () => {
  it.each(Object.entries(since))('%s', (version, expected) => {
    expect(types.filter((type) => actionRow(type)?.since === version).sort()).toEqual(expected);
  });

  it('0.4.0 brought the others: most of the chat channel, and annotations (OQ-5)', () => {
    const listedTypes = new Set(Object.values(since).flat());
    const others = types.filter((type) => !listedTypes.has(type));
    expect(others.filter((type) => actionRow(type)?.since !== '0.4.0')).toEqual([]);
    expect(others).toHaveLength(33);
    expect(others).toEqual(expect.arrayContaining(['chat/turnStarted', 'annotations/set']));
  });
});

describe('the table', () => {
  it('has the 106 types of the protocol without the two of canvases, and `changeset/disposed`, each by name', () => {
    expect(types).toHaveLength(105);
    expect(Object.values(ActionType).sort()).toEqual(types.sort());
  });

  it.each(Object.entries(ActionType))('%s is the name of %s, and of its schema', (name, type) => {
    const { kind, schema } = actionTable[type];
    expect(name.toLowerCase()).toBe(type.replace('/', '').toLowerCase());
    expect(toPlainSchema(schema).title).toBe(`${name}Action`);
    expect(kindOfAction(type)).toBe(kind);
  });
});

describe('kindOfAction (OQ-13)', () => {
  it.each(channelKinds)('knows %s by the prefix, also for a type of a later version', (kind) => {
    expect(kindOfAction(`${kind}/unheard`)).toBe(kind);
    expect(kindOfAction(`${kind}/a/b`)).toBe(kind);
  });

  it.each([
    '',
    '/',
    '/x',
    'chat',
    'chats',
    'rootx',
    'session:',
    'Chat/delta',
    ' chat/delta',
    'mcp/x',
    'telemetry/x',
    'toString/x',
  ])('%j has none', (type) => {
    expect(kindOfAction(type)).toBeUndefined();
  });
});
