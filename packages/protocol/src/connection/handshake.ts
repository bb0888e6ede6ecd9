import { type TelemetryCapabilities, TelemetryCapabilitiesSchema } from '../channels/telemetry/state.js';
import { rootParamsMembers } from '../common/base-params.js';
import { type EnumValue, enumSchema, freeForm, named, object, optional, presenceFlag } from '../common/schema.js';
import { type AnyObject, type Static, Type } from '../common/type.js';
import { type URI, URISchema } from '../common/uri.js';
import { type ActionEnvelope, ActionEnvelopeSchema } from './action.js';
import { type Snapshot, SnapshotSchema } from './snapshot.js';

/** What a client can do that not all can. */
export interface ClientCapabilities {
  mcpApps?: AnyObject | undefined;
}

export const ClientCapabilitiesSchema = object<ClientCapabilities>('ClientCapabilities', {
  mcpApps: optional(presenceFlag()),
});

/** Which program a peer is, for people to read and for logs. */
export interface Implementation {
  name: string;
  /** Its version, as it says itself. */
  version?: string | undefined;
  title?: string | undefined;
}

export const ImplementationSchema = object<Implementation>('Implementation', {
  name: Type.String(),
  version: optional(Type.String()),
  title: optional(Type.String()),
});

export interface InitializeParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  protocolVersions: string[];
  clientId: string;
  clientInfo?: Implementation | undefined;
  initialSubscriptions?: URI[] | undefined;
  locale?: string | undefined;
  capabilities?: ClientCapabilities | undefined;
}

export const InitializeParamsSchema = object<InitializeParams>('InitializeParams', {
  ...rootParamsMembers,
  protocolVersions: Type.Array(Type.String()),
  clientId: Type.String(),
  clientInfo: optional(ImplementationSchema),
  initialSubscriptions: optional(Type.Array(URISchema)),
  locale: optional(Type.String()),
  capabilities: optional(ClientCapabilitiesSchema),
});

export interface InitializeResult {
  protocolVersion: string;
  serverSeq: number;
  serverInfo?: Implementation | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  snapshots: Snapshot[];
  defaultDirectory?: URI | undefined;
  completionTriggerCharacters?: string[] | undefined;
  terminalCommandPrefix?: string | undefined;
  telemetry?: TelemetryCapabilities | undefined;
  environment?: { pathStyle?: string | undefined } | undefined;
}

export const InitializeResultSchema = object<InitializeResult>('InitializeResult', {
  protocolVersion: Type.String(),
  serverSeq: Type.Integer(),
  serverInfo: optional(ImplementationSchema),
  _meta: optional(freeForm()),
  snapshots: Type.Array(SnapshotSchema),
  defaultDirectory: optional(URISchema),
  completionTriggerCharacters: optional(Type.Array(Type.String())),
  terminalCommandPrefix: optional(Type.String()),
  telemetry: optional(TelemetryCapabilitiesSchema),
  // Of 1.1, whose types are not public yet: the style of paths on the host's machine.
  environment: optional(Type.Object({ pathStyle: optional(Type.String()) })),
});

export interface PingParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const PingParamsSchema = object<PingParams>('PingParams', {
  ...rootParamsMembers,
});

export interface ReconnectParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  clientId: string;
  lastSeenServerSeq: number;
  subscriptions: URI[];
}

export const ReconnectParamsSchema = object<ReconnectParams>('ReconnectParams', {
  ...rootParamsMembers,
  clientId: Type.String(),
  lastSeenServerSeq: Type.Integer(),
  subscriptions: Type.Array(URISchema),
});

/** How a client is brought up to date: with what it missed, or with states to start from again. */
export const ReconnectResultType = {
  Replay: 'replay',
  Snapshot: 'snapshot',
} as const;
export type ReconnectResultType = EnumValue<typeof ReconnectResultType>;
export const ReconnectResultTypeSchema = enumSchema('ReconnectResultType', ReconnectResultType);

export interface ReconnectReplayResult {
  type: 'replay';
  actions: ActionEnvelope[];
  missing: URI[];
}

export const ReconnectReplayResultSchema = object<ReconnectReplayResult>('ReconnectReplayResult', {
  type: Type.Literal(ReconnectResultType.Replay),
  actions: Type.Array(ActionEnvelopeSchema),
  missing: Type.Array(URISchema),
});

export interface ReconnectSnapshotResult {
  type: 'snapshot';
  snapshots: Snapshot[];
}

export const ReconnectSnapshotResultSchema = object<ReconnectSnapshotResult>('ReconnectSnapshotResult', {
  type: Type.Literal(ReconnectResultType.Snapshot),
  snapshots: Type.Array(SnapshotSchema),
});

export const ReconnectResultSchema = named(
  'ReconnectResult',
  Type.Union([ReconnectReplayResultSchema, ReconnectSnapshotResultSchema]),
);
export type ReconnectResult = Static<typeof ReconnectResultSchema>;
