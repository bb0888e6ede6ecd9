import { type ChannelKind, type ChannelStates, channelRegistry, SnapshotSchema } from '@moorage/protocol';
import { ProtocolError } from '../errors.js';
import { withOpenMember } from './open-member.js';
import { read } from './read.js';

export interface ChannelSnapshot<K extends ChannelKind> {
  readonly state: ChannelStates[K];
  readonly fromSeq: number;
}

const OpenSnapshotSchema = withOpenMember(SnapshotSchema, 'state', 'object');

/** The snapshot of a channel of a known kind: its shape on the wire does not tell the kinds apart (B-47). */
export function readSnapshot<K extends ChannelKind>(kind: K, uri: string, value: unknown): ChannelSnapshot<K> {
  if (value === undefined) throw new ProtocolError(`the host sent no snapshot of ${uri}`);
  const { fromSeq, state } = read('snapshot', OpenSnapshotSchema, value);
  read(`${kind} state`, channelRegistry[kind].state, state);
  return { state: state as ChannelStates[K], fromSeq };
}
