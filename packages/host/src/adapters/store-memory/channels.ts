import type { URI } from '@moorage/protocol';
import {
  type ChannelReader,
  type LogPut,
  type SessionReader,
  type StoredChannel,
  StoreError,
} from '../../ports/store.js';
import { envelopesAfter } from '../shared/envelopes-after.js';
import type { MemoryChannel, MemoryContent, MemoryDisk } from './disk.js';

interface MemoryChannelReader extends ChannelReader, Pick<SessionReader, 'readDisposed'> {
  unsettled(): URI[];
}

export function createChannelReader(
  { channels, sessions }: MemoryDisk,
  neededAfter: () => number,
): MemoryChannelReader {
  const isDisposed = (session: URI) => sessions.get(session)?.disposedAt !== undefined;
  const find = (uri: URI) => {
    const channel = channels.get(uri);
    if (!channel?.content || isDisposed(channel.session)) return undefined;
    return { ...channel, content: channel.content };
  };
  return {
    read: (uri) => {
      const channel = find(uri);
      return channel && toStored(channel);
    },
    readInPieces: (uri) => {
      const channel = find(uri);
      if (!channel) return undefined;
      const { snapshot, ...others } = toStored(channel);
      const isCurrent = () => channels.get(uri)?.content?.snapshot === snapshot;
      const bytes = Buffer.byteLength(snapshot.json);
      return { ...others, snapshot: { seq: snapshot.seq, bytes, pieces: piecesOf(snapshot.json, isCurrent) } };
    },
    readDisposed: (session) =>
      [...channels].flatMap(([uri, { content, ...channel }]) =>
        content && channel.session === session && isDisposed(session)
          ? [{ uri, ...toStored({ ...channel, content }) }]
          : [],
      ),
    exists: (uri) => channels.has(uri),
    replay: (uri, afterSeq) => {
      const content = find(uri)?.content;
      return content && afterSeq >= content.replayableAfter ? tailAfter(content.log, afterSeq) : undefined;
    },
    trim: (uri, keepBytes) => {
      const acknowledged = neededAfter(); // bounds what is kept, also if there is nothing to trim
      const channel = channels.get(uri);
      if (!channel?.content) return;
      channels.set(uri, { ...channel, content: trimmed(channel.content, keepBytes, acknowledged) });
    },
    unsettled: () =>
      [...channels].flatMap(([uri, { unsettled, session }]) => (unsettled && !isDisposed(session) ? [uri] : [])),
  };
}

function toStored({ kind, session, content }: MemoryChannel & { readonly content: MemoryContent }): StoredChannel {
  return { kind, session, snapshot: content.snapshot, tail: tailAfter(content.log, content.snapshot.seq) };
}

function* piecesOf(json: string, isCurrent: () => boolean): Generator<string> {
  for (let at = 0; at < json.length; at += PIECE_CHARS) {
    if (!isCurrent())
      throw new StoreError('unavailable', 'The snapshot was replaced while it was read. Read it again.');
    yield json.slice(at, at + PIECE_CHARS);
  }
}

const PIECE_CHARS = 2 * 1024 * 1024;

function tailAfter(log: readonly LogPut[], seq: number): string {
  return log
    .filter(({ lastSeq }) => lastSeq > seq)
    .map(({ firstSeq, envelopes }) => (firstSeq > seq ? envelopes : envelopesAfter(envelopes, seq)))
    .join(',');
}

function trimmed(content: MemoryContent, keepBytes: number, acknowledged: number): MemoryContent {
  const { log, snapshot, replayableAfter } = content;
  let kept = 0;
  const newest = log.findLastIndex(({ envelopes, lastSeq, tick = 0 }) => {
    kept += Buffer.byteLength(envelopes);
    return kept > keepBytes && lastSeq <= snapshot.seq && tick <= acknowledged;
  });
  const lastDropped = log[newest];
  if (!lastDropped) return content;
  return { snapshot, replayableAfter: Math.max(replayableAfter, lastDropped.lastSeq), log: log.slice(newest + 1) };
}
