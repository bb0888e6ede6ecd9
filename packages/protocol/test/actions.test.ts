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

/** By the types of 0.4.0, and `defaultChatChanged` by its text (D-6). */
const dispatchable = listed(`
  root: configChanged
  session: titleChanged modelChanged agentChanged activeClientChanged activeClientToolsChanged customizationToggled isReadChanged isArchivedChanged configChanged defaultChatChanged
  chat: turnStarted toolCallConfirmed toolCallComplete toolCallResultConfirmed toolCallContentChanged turnCancelled pendingMessageSet pendingMessageRemoved queuedMessagesReordered inputAnswerChanged inputCompleted truncated
  annotations: set updated removed entrySet entryRemoved
  terminal: input resized claimed titleChanged cleared
`);

/** What is not listed appeared in 0.4.0, annotations too (OQ-5), and our own `changeset/disposed` (D-2). */
const since: Record<string, string[]> = {
  '0.1.0': listed(`
    root: agentsChanged activeSessionsChanged terminalsChanged configChanged
    terminal: data input resized claimed titleChanged cwdChanged exited cleared commandDetectionAvailable commandExecuted commandFinished
    session: ready creationFailed titleChanged modelChanged serverToolsChanged activeClientChanged activeClientToolsChanged customizationsChanged customizationToggled customizationUpdated isReadChanged isArchivedChanged activityChanged configChanged metaChanged
  `),
  '0.2.0': listed(`
    session: agentChanged customizationRemoved changesetsChanged
    changeset: statusChanged fileSet fileRemoved operationsChanged cleared
    resourceWatch: changed
  `),
  '0.3.0': listed(`
    session: mcpServerStateChanged
    changeset: operationStatusChanged
  `),
};

describe('who may send an action', () => {
  it('a client may dispatch exactly these 33', () => {
    expect(types.filter((type) => isClientDispatchable(type)).sort()).toEqual(dispatchable);
    expect(dispatchable).toHaveLength(33);
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

  it('0.4.0 brought the others: the chat channel, and annotations (OQ-5)', () => {
    const earlier = new Set(Object.values(since).flat());
    const later = types.filter((type) => !earlier.has(type));
    expect(later.filter((type) => actionRow(type)?.since !== '0.4.0')).toEqual([]);
    expect(types.filter((type) => /^(chat|annotations)\//.test(type)).every((type) => later.includes(type))).toBe(true);
  });
});

describe('the table', () => {
  it('has the 73 types of the protocol and `changeset/disposed`, each by name', () => {
    expect(types).toHaveLength(74);
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
