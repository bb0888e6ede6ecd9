import { describe, expect, it } from 'vitest';
import type { TSchema } from '../src/common/type.js';
import {
  ActionEnvelopeSchema,
  AnnotationSchema,
  AnnotationsStateSchema,
  ChangesetOperationSchema,
  ChangesetStateSchema,
  ChatInputQuestionSchema,
  ChatInputRequestSchema,
  ChatPendingMessageSetActionSchema,
  ChatStateSchema,
  ChatToolCallConfirmedActionSchema,
  ConfigSchemaSchema,
  CustomizationEnablementSchema,
  CustomizationSchema,
  command,
  IconSchema,
  InitializeParamsSchema,
  ListSessionsParamsSchema,
  lenient,
  McpServerStateSchema,
  MessageAttachmentSchema,
  MessageSchema,
  ModelSelectionSchema,
  ResponsePartSchema,
  SessionStateSchema,
  SessionStatusSchema,
  SessionSummaryChangedParamsSchema,
  StateActionSchema,
  StringOrMarkdownSchema,
  strict,
  TerminalClaimSchema,
  TerminalLifecycleStateSchema,
  ToolCallStateSchema,
  TurnSchema,
  ValidationError,
} from '../src/index.js';
import { deepFreeze, withExtras } from './support/reducing.js';
import {
  busyChat,
  callPart,
  chatState,
  chatSummary,
  finishedTurn,
  markdown,
  mcpServer,
  message,
  plugin,
  sessionState,
} from './support/samples.js';

const call = { toolCallId: 'c', toolName: 'sh', displayName: 'Shell' };
const hologram = { kind: 'hologram', depth: [1, { nested: null }] };

describe('what a later version may add', () => {
  const ofLater: [what: string, schema: TSchema, value: unknown][] = [
    ['an action type', StateActionSchema, { type: 'session/teleported', to: { x: 1 } }],
    ['an action type without a slash', StateActionSchema, { type: 'later' }],
    ['an action type in an envelope', ActionEnvelopeSchema, { channel: 'x', serverSeq: 1, action: { type: 'a/b' } }],
    ['a response part', ResponsePartSchema, hologram],
    [
      'a response part deep in a chat',
      ChatStateSchema,
      { ...chatState(), turns: [{ ...finishedTurn('t'), responseParts: [hologram] }] },
    ],
    ['a response part in an action', StateActionSchema, { type: 'chat/responsePart', turnId: 't', part: hologram }],
    ['a state of a tool call', ToolCallStateSchema, { ...call, status: 'paused', since: 1 }],
    ['a customization', CustomizationSchema, { type: 'wormhole', path: '/x' }],
    ['a child of a customization', CustomizationSchema, { ...plugin('p'), children: [{ type: 'spell', id: 's' }] }],
    ['a state of an MCP server', McpServerStateSchema, { kind: 'napping' }],
    ['an attachment', MessageAttachmentSchema, { type: 'smell', label: 'roses' }],
    ['a claim', TerminalClaimSchema, { kind: 'nobody' }],
    ['a lifecycle', TerminalLifecycleStateSchema, { status: 'suspended', by: 'SIGTSTP' }],
    ['a kind of decision', CustomizationEnablementSchema, { kind: 'fleet', enabled: true }],
    ['a status of a changeset', ChangesetStateSchema, { status: 'dreaming', files: [] }],
    ['a question', ChatInputQuestionSchema, { kind: 'colour', id: 'q', message: 'Which?' }],
    ['an enum value', SessionStateSchema, { ...sessionState(), lifecycle: 'hibernating' }],
    ['an enum value in a list', ChangesetOperationSchema, { id: 'o', label: '', status: 'idle', scopes: ['galaxy'] }],
    ['an optional enum value', IconSchema, { src: 'x', theme: 'sepia' }],
    ['an enum value that is no tag', MessageSchema, { text: '', origin: { kind: 'ghost' } }],
    ['a fraction of a token', StateActionSchema, { type: 'chat/usage', turnId: 't', usage: { inputTokens: 0.5 } }],
  ];

  it.each(ofLater)('B-334 %s passes when it comes in, unchanged, and not when it goes out', (_, schema, value) => {
    const text = JSON.stringify(value);
    const frozen = deepFreeze(value);
    expect(lenient(schema).parse(frozen)).toBe(frozen);
    expect(JSON.stringify(frozen)).toBe(text);
    expect(strict(schema).check(value)).toBe(false);
  });

  const unknownMembers: [string, TSchema, object][] = [
    ['a state', SessionStateSchema, sessionState()],
    ['a deep member', SessionStateSchema, sessionState({ chats: [withExtras(chatSummary('c'))] })],
    ['a variant', ResponsePartSchema, markdown('p')],
    ['a variant in a list', ChatStateSchema, busyChat([withExtras(callPart({ ...call, status: 'streaming' }))])],
    ['an action', StateActionSchema, { type: 'session/ready' }],
    ['params', InitializeParamsSchema, { channel: 'ahp-root://', protocolVersions: [], clientId: 'c' }],
  ];

  it.each(unknownMembers)('B-335 an unknown member of %s passes both ways, unchanged', (_, schema, value) => {
    const extended = deepFreeze(withExtras(value));
    const text = JSON.stringify(extended);
    expect(strict(schema).parse(extended)).toBe(extended);
    expect(lenient(schema).parse(extended)).toBe(extended);
    expect(JSON.stringify(extended)).toBe(text);
  });

  it.each([72, 2147483720, 2 ** 31 + 2 ** 20, 2 ** 40 + 1])('B-125 status bits pass both ways: %d', (status) => {
    expect(strict(SessionStatusSchema).parse(status)).toBe(status);
    expect(lenient(SessionStateSchema).parse(sessionState({ status })).status).toBe(status);
  });

  it('R-18 a sequence number above 2^31 passes both ways', () => {
    const envelope = { channel: 'x', action: { type: 'session/ready' }, serverSeq: 2 ** 31 + 5 };
    expect(strict(ActionEnvelopeSchema).check(envelope)).toBe(true);
    expect(lenient(ActionEnvelopeSchema).check(envelope)).toBe(true);
  });
});

describe('what is wrong is named by place and expectation', () => {
  type Case = [what: string, schema: TSchema, value: unknown, path: string, expected: string];
  const action = (over: object) => ({ type: 'chat/delta', turnId: 't', partId: 'p', content: '', ...over });
  const { channel: _, ...noChannel } = { channel: 'ahp-root://', protocolVersions: ['0.4.0'], clientId: 'c' };

  const always: Case[] = [
    ['a missing member', InitializeParamsSchema, noChannel, '/channel', '"ahp-root://", but it is missing'],
    [
      'a missing object',
      AnnotationSchema,
      { id: 'a', resource: 'x', resolved: false, entries: [] },
      '/origin',
      'an object (AnnotationOrigin), but it is missing',
    ],
    ['a missing text', MessageSchema, { origin: { kind: 'user' } }, '/text', 'a string, but it is missing'],
    ['something else altogether', SessionStateSchema, 'ready', '', 'an object'],
    ['null', SessionStateSchema, null, '', 'an object'],
    ['a list for an object', MessageSchema, [], '', 'an object'],
    [
      'a wrong type deep in lists',
      ChatStateSchema,
      chatStateWith([markdown('p'), { kind: 'markdown', id: 'q', content: 7 }]),
      '/turns/1/responseParts/1/content',
      'a string',
    ],
    ['an object for a list', AnnotationsStateSchema, { annotations: {} }, '/annotations', 'an array'],
    ['a number for a flag', StateActionSchema, { type: 'session/isReadChanged', isRead: 1 }, '/isRead', 'a boolean'],
    ['a wrong constant', InitializeParamsSchema, { ...noChannel, channel: 'ahp-root:' }, '/channel', '"ahp-root://"'],
    [
      'a member of an action',
      ActionEnvelopeSchema,
      { channel: 'x', serverSeq: 1, action: action({ content: null }) },
      '/action/content',
      'a string',
    ],
    ['a negative status', SessionStatusSchema, -1, '', 'a number of at least 0'],
    ['a union of shapes', StringOrMarkdownSchema, 5, '', 'a string or an object'],
    [
      'a map value under an awkward key',
      ChatInputRequestSchema,
      { id: 'r', answers: { 'a/b~c': 1 } },
      '/answers/a~1b~0c',
      'an object (ChatInputAnswered) or an object (ChatInputSkipped)',
    ],
  ];

  it.each(always)('%s, both ways', (_, schema, value, path, expected) => {
    expect(lenient(schema).explain(value)).toEqual({ path, expected });
    expect(strict(schema).explain(value)).toEqual({ path, expected });
  });

  const kinds = '"markdown", "contentRef", "toolCall", "reasoning", "systemNotification", "inputRequest", "error"';
  const endless: unknown = JSON.parse('{"channel":"x","serverSeq":1e400,"action":{"type":"session/ready"}}');
  const going: Case[] = [
    ['Infinity', ActionEnvelopeSchema, endless, '/serverSeq', 'an integer'],
    ['an unknown tag', ResponsePartSchema, hologram, '/kind', `one of ${kinds}`],
    [
      'an unknown tag in a list',
      TurnSchema,
      { ...finishedTurn('t'), responseParts: [hologram] },
      '/responseParts/0/kind',
      `one of ${kinds}`,
    ],
    ['a missing tag', ResponsePartSchema, { id: 'p' }, '/kind', `one of ${kinds}`],
    [
      'a wrong second tag',
      StateActionSchema,
      { type: 'chat/toolCallConfirmed', turnId: 't', toolCallId: 'c', approved: 1 },
      '/approved',
      'one of true, false',
    ],
    [
      'an unknown enum value',
      TurnSchema,
      { ...finishedTurn('t'), state: 'paused' },
      '/state',
      'one of "complete", "cancelled", "error"',
    ],
    [
      'a fraction',
      ActionEnvelopeSchema,
      { channel: 'x', action: { type: 'session/ready' }, serverSeq: 1.5 },
      '/serverSeq',
      'an integer',
    ],
    ['null for an optional member', MessageSchema, { ...message(''), attachments: null }, '/attachments', 'an array'],
  ];

  it.each(going)('%s, going out', (_, schema, value, path, expected) => {
    expect(strict(schema).explain(value)).toEqual({ path, expected });
  });

  const coming: Case[] = [
    ['Infinity', ActionEnvelopeSchema, endless, '/serverSeq', 'a number'],
    ['an action without a type', StateActionSchema, { turnId: 't' }, '/type', 'a string'],
    ['a tag that is no text', ResponsePartSchema, { kind: 5 }, '/kind', 'a string'],
    ['a missing tag', ResponsePartSchema, { id: 'p' }, '/kind', 'a string'],
    ['an enum value that is no text', TurnSchema, { ...finishedTurn('t'), state: 5 }, '/state', 'a string'],
    [
      'a text for a number',
      ActionEnvelopeSchema,
      { channel: 'x', action: { type: 'a' }, serverSeq: '1' },
      '/serverSeq',
      'a number',
    ],
    [
      'a known variant that is broken',
      CustomizationSchema,
      { ...mcpServer('m'), state: { kind: 'error' } },
      '/state/error',
      'an object (ErrorInfo), but it is missing',
    ],
  ];

  it.each(coming)('%s, coming in', (_, schema, value, path, expected) => {
    expect(lenient(schema).explain(value)).toEqual({ path, expected });
  });

  it('parse throws it as an error', () => {
    const parse = () => strict(MessageSchema).parse({ text: 5, origin: { kind: 'user' } });
    expect(parse).toThrow(ValidationError);
    expect(parse).toThrow(expect.objectContaining({ path: '/text', expected: 'a string' }));
    expect(parse).toThrow('/text: expected a string');
    expect(() => strict(MessageSchema).parse(5)).toThrow('value: expected an object');
  });

  it('R-8 an optional member may be undefined in memory, a required one may not', () => {
    expect(strict(MessageSchema).check({ ...message(''), attachments: undefined })).toBe(true);
    expect(strict(MessageSchema).check({ ...message(''), text: undefined })).toBe(false);
  });

  function chatStateWith(responseParts: unknown[]): unknown {
    return { ...chatState(), turns: [finishedTurn('t'), { ...finishedTurn('u'), responseParts }] };
  }
});

describe('OQ-25 null in a change list means "clear"', () => {
  it('comes in for optional members of a session and of a chat', () => {
    const changes = { activity: null, workingDirectories: null, project: null };
    const params = { channel: 'ahp-root://', session: 's', changes };
    expect(lenient(SessionSummaryChangedParamsSchema).explain(params)).toBeUndefined();
    const action = { type: 'session/chatUpdated', chat: 'c', changes: { activity: null, origin: null } };
    expect(lenient(StateActionSchema).explain(action)).toBeUndefined();
  });

  it('is refused for members that every summary has', () => {
    const params = { channel: 'ahp-root://', session: 's', changes: { title: null } };
    expect(lenient(SessionSummaryChangedParamsSchema).explain(params)).toEqual({
      path: '/changes/title',
      expected: 'a string',
    });
  });
});

describe('settings', () => {
  it('may be any value that is neither a list nor an object, also null', () => {
    const config = { effort: 'high', tokens: 0.5, cached: false, seed: null };
    expect(strict(ModelSelectionSchema).explain({ id: 'm', config })).toBeUndefined();
    expect(strict(ModelSelectionSchema).explain({ id: 'm', config: { stop: [] } })).toEqual({
      path: '/config/stop',
      expected: 'a string or a number or a boolean or null',
    });
    const property = { type: 'array', title: 'T', enum: [1, 'two', true, null], minItems: 1, maxItems: 3 };
    const nested = { type: 'object', properties: { a: { ...property, items: property } } };
    expect(strict(ConfigSchemaSchema).explain(nested)).toBeUndefined();
  });
});

describe('what we are asked to do', () => {
  const message = { text: 'hi', origin: { kind: 'user' }, attachments: [{ type: 'hologram', label: 'new' }] };
  const set = (kind: string) => ({ type: 'chat/pendingMessageSet', kind, id: 'm', message });

  it('must have values that we know in its own members', () => {
    const problem = command(ChatPendingMessageSetActionSchema).explain(set('someday'));
    expect(problem).toEqual({ path: '/kind', expected: 'one of "steering", "queued"' });
    expect(lenient(ChatPendingMessageSetActionSchema).check(set('someday'))).toBe(true);
  });

  it('may carry what later versions added (B-334)', () => {
    expect(command(ChatPendingMessageSetActionSchema).check(set('queued'))).toBe(true);
    expect(strict(ChatPendingMessageSetActionSchema).check(set('queued'))).toBe(false);
  });

  it('keeps whole numbers whole', () => {
    const list = { channel: 'ahp-root://', limit: 1.5 };
    expect(command(ListSessionsParamsSchema).explain(list)).toEqual({ path: '/limit', expected: 'an integer' });
  });

  it('tells the variants of a union apart as before', () => {
    const denied = { type: 'chat/toolCallConfirmed', turnId: 't', toolCallId: 'c', approved: false, reason: 'maybe' };
    expect(command(ChatToolCallConfirmedActionSchema).explain(denied)?.path).toBe('/reason');
    expect(command(ChatToolCallConfirmedActionSchema).check({ ...denied, reason: 'denied' })).toBe(true);
  });
});
