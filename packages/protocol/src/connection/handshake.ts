import { type TelemetryCapabilities, TelemetryCapabilitiesSchema } from '../channels/telemetry/state.js';
import { rootParamsMembers } from '../common/base-params.js';
import { type EnumValue, enumSchema, freeForm, named, object, optional, presenceFlag } from '../common/schema.js';
import { type AnyObject, type Static, Type } from '../common/type.js';
import { type URI, URISchema } from '../common/uri.js';
import { type ActionEnvelope, ActionEnvelopeSchema } from './action.js';
import { type Snapshot, SnapshotSchema } from './snapshot.js';

/** What a client can do that not all can. */
export interface ClientCapabilities {
  /** Present if the client shows user interfaces of MCP servers. */
  mcpApps?: AnyObject | undefined;
}

export const ClientCapabilitiesSchema = object<ClientCapabilities>('ClientCapabilities', {
  mcpApps: optional(presenceFlag()),
});

/** Which program a peer is, for people to read and for logs. */
export interface Implementation {
  /** The name of the program. */
  name: string;
  /** Its version, as it says itself. */
  version?: string | undefined;
  /** Shown instead of `name`. */
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
  /** The versions that the client speaks, best first. */
  protocolVersions: string[];
  /** The name of the client, which it keeps. */
  clientId: string;
  /** The client's program. */
  clientInfo?: Implementation | undefined;
  /** Channels to subscribe to at once. */
  initialSubscriptions?: URI[] | undefined;
  /** The language of the user. */
  locale?: string | undefined;
  /** What the client can do. */
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
  /** The version that both speak from now on. */
  protocolVersion: string;
  /** The number of the last action before this answer. */
  serverSeq: number;
  /** The host's program. */
  serverInfo?: Implementation | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The states of the channels that were subscribed to. */
  snapshots: Snapshot[];
  /** The folder to suggest for sessions. */
  defaultDirectory?: URI | undefined;
  /** Characters after which completions are worth asking for. */
  completionTriggerCharacters?: string[] | undefined;
  /** What a message begins with that is a command for a terminal. */
  terminalCommandPrefix?: string | undefined;
  /** Where the host reports what it does. */
  telemetry?: TelemetryCapabilities | undefined;
  /** How the host's machine writes paths. */
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
  /** The name of the client. */
  clientId: string;
  /** The number of the last action that the client has. */
  lastSeenServerSeq: number;
  /** The channels that it has. */
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
  /** What the client has missed, in order. */
  actions: ActionEnvelope[];
  /** Channels that are gone. */
  missing: URI[];
}

export const ReconnectReplayResultSchema = object<ReconnectReplayResult>('ReconnectReplayResult', {
  type: Type.Literal(ReconnectResultType.Replay),
  actions: Type.Array(ActionEnvelopeSchema),
  missing: Type.Array(URISchema),
});

export interface ReconnectSnapshotResult {
  type: 'snapshot';
  /** The states of its channels, in place of those it has. */
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
