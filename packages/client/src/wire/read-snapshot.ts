import { type ChannelKind, type ChannelStates, channelRegistry, type Snapshot, SnapshotSchema } from '@ahpd/protocol';
import { ProtocolError } from '../errors.js';
import { isObject, read } from './read.js';

export interface ChannelSnapshot<K extends ChannelKind> {
  readonly state: ChannelStates[K];
  readonly fromSeq: number;
}

/** The snapshot of a channel of a known kind: its shape on the wire does not tell the kinds apart (B-47). */
export function readSnapshot<K extends ChannelKind>(kind: K, uri: string, value: unknown): ChannelSnapshot<K> {
  if (value === undefined) throw new ProtocolError(`the host sent no snapshot of ${uri}`);
  const { fromSeq, state } = read('snapshot', SnapshotSchema, value) as Snapshot;
  read(`${kind} state`, channelRegistry[kind].state, state);
  return { state: state as ChannelStates[K], fromSeq };
}

/**
 * Takes the snapshots out of a handshake's answer, by the channel they name. Read one by one later, a bad one costs
 * its own channel and not the connection.
 */
export function takeSnapshots(answer: unknown): { rest: unknown; snapshots: ReadonlyMap<string, unknown> } {
  const snapshots = new Map<string, unknown>();
  if (!isObject(answer) || !Array.isArray(answer.snapshots)) return { rest: answer, snapshots };
  for (const snapshot of answer.snapshots) {
    if (isObject(snapshot) && typeof snapshot.resource === 'string') snapshots.set(snapshot.resource, snapshot);
  }
  return { rest: { ...answer, snapshots: [] }, snapshots };
}
