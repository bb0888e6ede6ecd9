import { describe, expect, it } from 'vitest';
import type { TSchema } from '../src/common/type.js';
import {
  ActionEnvelopeSchema,
  ChangesetOperationTargetSchema,
  ChatInputQuestionSchema,
  ChatSourceSchema,
  CustomizationSchema,
  InitializeResultSchema,
  JsonRpcMessageSchema,
  lenient,
  SessionAddedParamsSchema,
  SessionStatusSchema,
  SessionSummaryChangedParamsSchema,
  SessionSummarySchema,
  StateActionSchema,
  StringOrMarkdownSchema,
} from '../src/index.js';
import { readFixtures } from './support/fixtures.js';
import { deepFreeze } from './support/reducing.js';

interface Fixture {
  readonly name: string;
  readonly type: string;
  readonly input: unknown;
  readonly acceptableOutputs: readonly unknown[];
  /** What comes out where unknown members are kept, as they are here. */
  readonly preservedOutput?: unknown;
}

/** The wire type that a fixture names. */
const types: Record<string, TSchema> = {
  ActionEnvelope: ActionEnvelopeSchema,
  StateAction: StateActionSchema,
  Customization: CustomizationSchema,
  SessionStatus: SessionStatusSchema,
  StringOrMarkdown: StringOrMarkdownSchema,
  JsonRpcMessage: JsonRpcMessageSchema,
  ChangesetOperationTarget: ChangesetOperationTargetSchema,
  ChatInputQuestion: ChatInputQuestionSchema,
  ChatSource: ChatSourceSchema,
  InitializeResult: InitializeResultSchema,
  SessionSummary: SessionSummarySchema,
  SessionAddedParams: SessionAddedParamsSchema,
  PartialSessionSummary: SessionSummaryChangedParamsSchema.properties.changes,
};

/** What comes in, parsed as a peer does it, and what would go out again. */
function roundTrip(schema: TSchema, input: unknown): unknown {
  const received: unknown = JSON.parse(JSON.stringify(input));
  return JSON.parse(JSON.stringify(lenient(schema).parse(deepFreeze(received))));
}

describe('round-trip fixtures of the authors (R-18)', () => {
  const fixtures = readFixtures<Fixture>('round-trips');

  it('are here', ({ skip }) => {
    skip(fixtures.length === 0, 'there are no fixtures of the authors beside this checkout');
    expect(fixtures).not.toEqual([]);
  });

  it.each(fixtures)('$file', ({ type, input, acceptableOutputs, preservedOutput }) => {
    const schema = types[type];
    if (!schema) throw new Error(`no schema for ${type}`);
    const output = roundTrip(schema, input);
    if (preservedOutput !== undefined) expect(output).toStrictEqual(preservedOutput);
    else expect(acceptableOutputs).toContainEqual(output);
  });
});

describe('round trips of our own', () => {
  const time = '2026-01-02T03:04:05.678Z';
  const summary = { resource: 's', provider: 'p', title: '', status: 2147483720, createdAt: time, modifiedAt: time };
  const origin = { session: 'ahp-session:/s', chat: 'ahp-chat:/c', later: 1 };
  const cases: [what: string, type: string, input: unknown][] = [
    ['an unknown action', 'StateAction', { type: 'session/unheard', payload: { a: [null, 1] } }],
    [
      'an unknown action in an envelope',
      'ActionEnvelope',
      { channel: 'x', serverSeq: 1, action: { type: 'x/y', z: 0 } },
    ],
    ['no origin', 'ActionEnvelope', { channel: 'x', serverSeq: 2 ** 53 - 1, action: { type: 'session/ready' } }],
    ['an unknown customization', 'Customization', { type: 'wormhole', exits: 2 }],
    [
      'decisions of an unknown kind',
      'Customization',
      { type: 'plugin', id: 'p', uri: 'x', name: 'P', enablement: [{ kind: 'fleet', enabled: false, of: ['a'] }] },
    ],
    [
      'an unknown lifecycle',
      'StateAction',
      {
        type: 'root/terminalsChanged',
        terminals: [
          { resource: 't', title: '', claim: { kind: 'client', clientId: 'c' }, lifecycle: { status: 'zombie' } },
        ],
      },
    ],
    ['an unknown status', 'StateAction', { type: 'changeset/statusChanged', status: 'dreaming' }],
    ['an origin', 'StateAction', { type: 'annotations/updated', annotationId: 'a', origin }],
    ['an unknown source', 'ChatSource', { kind: 'dream', chat: 'x' }],
    [
      'a greeting of 1.1',
      'InitializeResult',
      {
        protocolVersion: '1.1.0',
        serverSeq: 0,
        snapshots: [],
        serverInfo: { name: 'h', later: true },
        environment: { pathStyle: 'amiga' },
        tcpConnections: {},
      },
    ],
    ['status bits of a later version', 'SessionStatus', 2147483720],
    ['a text', 'StringOrMarkdown', ''],
    ['a text with more members', 'StringOrMarkdown', { markdown: '*', trusted: true }],
    ['a notification', 'JsonRpcMessage', { jsonrpc: '2.0', method: 'x' }],
    ['a result that is null', 'JsonRpcMessage', { jsonrpc: '2.0', id: 'a', result: null }],
    [
      'an error without an id',
      'JsonRpcMessage',
      { jsonrpc: '2.0', id: null, error: { code: 1, message: '', data: [] } },
    ],
    ['an unknown target', 'ChangesetOperationTarget', { kind: 'symbol', name: 'f' }],
    ['an unknown side', 'ChangesetOperationTarget', { kind: 'resource', resource: 'x', side: 'middle' }],
    ['a fractional limit', 'ChatInputQuestion', { kind: 'number', id: 'q', message: '', min: 0.5, max: 1.5 }],
    ['a summary', 'SessionSummary', { ...summary, future: { a: null } }],
    ['a session that appears', 'SessionAddedParams', { channel: 'ahp-root://', summary }],
    ['no change', 'PartialSessionSummary', {}],
    ['changes, one of them null (OQ-25)', 'PartialSessionSummary', { status: 72, activity: null, future: 1 }],
  ];

  it('cover every type that the fixtures name', () => {
    expect([...new Set(cases.map(([, type]) => type))].sort()).toEqual(Object.keys(types).sort());
  });

  it.each(cases)('%s (%s) goes out as it came in', (_, type, input) => {
    expect(roundTrip(types[type] as TSchema, input)).toStrictEqual(input);
  });
});
