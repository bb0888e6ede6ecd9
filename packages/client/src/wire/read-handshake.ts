import {
  type ActionEnvelope,
  type InitializeResult,
  InitializeResultSchema,
  isObject,
  ReconnectReplayResultSchema,
  ReconnectSnapshotResultSchema,
} from '@moorage/protocol';
import { ProtocolError } from '../errors.js';
import { withOpenMember } from './open-member.js';
import { read } from './read.js';
import { readEnvelope } from './read-envelope.js';

/** What the host said of itself in the handshake. */
export type HostInfo = Omit<InitializeResult, 'serverSeq' | 'snapshots'>;

/** Snapshots by channel, not checked yet: one by one, so that a bad one costs its channel and not the connection. */
export type RawSnapshots = ReadonlyMap<string, unknown>;

export type Resumption =
  | { readonly type: 'replay'; readonly actions: readonly ActionEnvelope[]; readonly missing: readonly string[] }
  | { readonly type: 'snapshot'; readonly snapshots: RawSnapshots };

const InitializeShape = withOpenMember(InitializeResultSchema, 'snapshots', 'array');
const ReplayShape = withOpenMember(ReconnectReplayResultSchema, 'actions', 'array');
const SnapshotsShape = withOpenMember(ReconnectSnapshotResultSchema, 'snapshots', 'array');

export function readInitializeResult(answer: unknown) {
  const { serverSeq, snapshots, ...rest } = read('initialize result', InitializeShape, answer);
  const hostInfo: HostInfo = rest;
  return { hostInfo, serverSeq, snapshots: byResource(snapshots) };
}

export function readReconnectResult(answer: unknown): Resumption {
  const type = isObject(answer) ? answer.type : undefined;
  switch (type) {
    case 'replay': {
      const { actions, missing } = read('replay', ReplayShape, answer);
      // Read like those that come alone, so that both ways lead to the same state.
      return { type, actions: actions.map(readEnvelope), missing };
    }
    case 'snapshot':
      return { type, snapshots: byResource(read('reconnect result', SnapshotsShape, answer).snapshots) };
    default:
      throw new ProtocolError('the host answered reconnect with neither a replay nor snapshots');
  }
}

function byResource(snapshots: readonly unknown[]): RawSnapshots {
  return new Map(
    snapshots
      .filter(isObject)
      .flatMap((snapshot) => (typeof snapshot.resource === 'string' ? [[snapshot.resource, snapshot] as const] : [])),
  );
}
