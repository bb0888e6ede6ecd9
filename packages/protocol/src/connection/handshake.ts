import type { Static } from 'typebox';
import { TelemetryCapabilitiesSchema } from '../channels/telemetry/state.js';
import { rootParamsMembers } from '../common/base-params.js';
import { type EnumValue, enumSchema, freeForm, named, optional, presenceFlag } from '../common/schema.js';
import { Type } from '../common/type.js';
import { URISchema } from '../common/uri.js';
import { ActionEnvelopeSchema } from './action.js';
import { SnapshotSchema } from './snapshot.js';

export const ClientCapabilitiesSchema = named(
  'ClientCapabilities',
  Type.Object({
    mcpApps: optional(presenceFlag()),
  }),
);
/** What a client can do that not all can. */
export type ClientCapabilities = Static<typeof ClientCapabilitiesSchema>;

export const ImplementationSchema = named(
  'Implementation',
  Type.Object({
    name: Type.String(),
    version: optional(Type.String()),
    title: optional(Type.String()),
  }),
);
/** Which program a peer is, for people to read and for logs. */
export type Implementation = Static<typeof ImplementationSchema>;

export const InitializeParamsSchema = named(
  'InitializeParams',
  Type.Object({
    ...rootParamsMembers,
    protocolVersions: Type.Array(Type.String()),
    clientId: Type.String(),
    clientInfo: optional(ImplementationSchema),
    initialSubscriptions: optional(Type.Array(URISchema)),
    locale: optional(Type.String()),
    capabilities: optional(ClientCapabilitiesSchema),
  }),
);
export type InitializeParams = Static<typeof InitializeParamsSchema>;

export const InitializeResultSchema = named(
  'InitializeResult',
  Type.Object({
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
  }),
);
export type InitializeResult = Static<typeof InitializeResultSchema>;

export const PingParamsSchema = named(
  'PingParams',
  Type.Object({
    ...rootParamsMembers,
  }),
);
export type PingParams = Static<typeof PingParamsSchema>;

export const ReconnectParamsSchema = named(
  'ReconnectParams',
  Type.Object({
    ...rootParamsMembers,
    clientId: Type.String(),
    lastSeenServerSeq: Type.Integer(),
    subscriptions: Type.Array(URISchema),
  }),
);
export type ReconnectParams = Static<typeof ReconnectParamsSchema>;

/** How a client is brought up to date: with what it missed, or with states to start from again. */
export const ReconnectResultType = {
  Replay: 'replay',
  Snapshot: 'snapshot',
} as const;
export type ReconnectResultType = EnumValue<typeof ReconnectResultType>;
export const ReconnectResultTypeSchema = enumSchema('ReconnectResultType', ReconnectResultType);

export const ReconnectReplayResultSchema = named(
  'ReconnectReplayResult',
  Type.Object({
    type: Type.Literal(ReconnectResultType.Replay),
    actions: Type.Array(ActionEnvelopeSchema),
    missing: Type.Array(URISchema),
  }),
);
export type ReconnectReplayResult = Static<typeof ReconnectReplayResultSchema>;

export const ReconnectSnapshotResultSchema = named(
  'ReconnectSnapshotResult',
  Type.Object({
    type: Type.Literal(ReconnectResultType.Snapshot),
    snapshots: Type.Array(SnapshotSchema),
  }),
);
export type ReconnectSnapshotResult = Static<typeof ReconnectSnapshotResultSchema>;

export const ReconnectResultSchema = named(
  'ReconnectResult',
  Type.Union([ReconnectReplayResultSchema, ReconnectSnapshotResultSchema]),
);
export type ReconnectResult = Static<typeof ReconnectResultSchema>;
