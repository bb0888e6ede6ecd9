import type { URI } from '@moorage/protocol';
import { type ChannelPut, type DocumentPut, type LogPut, type StoreBatch, StoreError } from '../../ports/store.js';
import { documentId, type MemoryContent, type MemoryDisk, type MemorySession } from './disk.js';
import type { MemoryFeedPart } from './feed.js';

/** Applies batches. If a part of a batch fails, the parts already applied are undone. */
export function createCommit(disk: MemoryDisk, feed: MemoryFeedPart): (batch: StoreBatch) => void {
  let usedUpTo = disk.seqCeiling;
  return (batch) => {
    const undo: Undo = [];
    const tick = feed.tickOf(batch);
    try {
      apply(disk, batch, { usedUpTo, tick }, undo);
    } catch (error) {
      for (const step of undo.reverse()) step();
      throw error;
    }
    for (const { lastSeq } of batch.log ?? []) usedUpTo = Math.max(usedUpTo, lastSeq);
    disk.seqCeiling = Math.max(disk.seqCeiling, batch.seqCeiling ?? 0, usedUpTo);
    feed.committed(batch, tick);
  };
}

type Undo = (() => void)[];

interface Position {
  readonly usedUpTo: number;
  readonly tick: number | undefined;
}

function apply(disk: MemoryDisk, batch: StoreBatch, at: Position, undo: Undo): void {
  const removed = new Set<URI>();
  for (const channel of batch.channels ?? []) {
    if (channel.removed) removed.add(channel.uri);
    else removed.delete(channel.uri);
    putChannel(disk, channel, undo);
  }
  for (const entry of batch.log ?? []) if (!removed.has(entry.channel)) append(disk, entry, at, undo);
  for (const { session, modifiedAt, json } of batch.summaries ?? []) {
    putSession(disk, session, { summary: { modifiedAt, json } }, undo);
  }
  for (const { session, disposedAt } of batch.disposals ?? []) {
    if (disk.sessions.has(session)) putSession(disk, session, { disposedAt }, undo);
  }
  for (const document of batch.documents ?? []) putDocument(disk, document, undo);
}

function putChannel(disk: MemoryDisk, channel: ChannelPut, undo: Undo): void {
  const { uri, kind, session, unsettled, removed = false } = channel;
  putSession(disk, session, {}, undo);
  const content = removed ? undefined : nextContent(channel, disk.channels.get(uri)?.content);
  put(disk.channels, uri, { kind, session, unsettled: unsettled && !removed, content }, undo);
}

function nextContent({ uri, snapshot }: ChannelPut, current: MemoryContent | undefined): MemoryContent {
  if (!current) {
    if (!snapshot) throw new StoreError('broken', `The new channel ${uri} was put without a snapshot.`);
    // The log begins after this snapshot, so a client that has seen less cannot be served by replay.
    return { snapshot, replayableAfter: snapshot.seq, log: [] };
  }
  if (snapshot && snapshot.seq < current.snapshot.seq) {
    throw new StoreError('broken', `The snapshot of ${uri} at ${snapshot.seq} is older than the stored one.`);
  }
  return { ...current, snapshot: snapshot ?? current.snapshot };
}

function append(disk: MemoryDisk, entry: LogPut, { usedUpTo, tick }: Position, undo: Undo): void {
  const { channel, firstSeq, lastSeq } = entry;
  const log = disk.channels.get(channel)?.content?.log;
  const end = Math.max(usedUpTo, log?.at(-1)?.lastSeq ?? 0);
  if (firstSeq <= end || lastSeq < firstSeq) {
    throw new StoreError('broken', `The log of ${channel} cannot take ${firstSeq} to ${lastSeq} after ${end}.`);
  }
  if (!log) throw new StoreError('broken', `The log of ${channel} was written, but never the channel.`);
  log.push({ ...entry, tick });
  undo.push(() => log.pop());
}

function putSession(disk: MemoryDisk, session: URI, change: Partial<MemorySession>, undo: Undo): void {
  const current = disk.sessions.get(session) ?? { summary: undefined, disposedAt: undefined };
  put(disk.sessions, session, { ...current, ...change }, undo);
}

function putDocument(disk: MemoryDisk, document: DocumentPut, undo: Undo): void {
  const id = documentId(document.collection, document.key);
  const { session, json } = document;
  if (session !== undefined && json !== undefined) putSession(disk, session, {}, undo);
  put(disk.documents, id, json === undefined ? undefined : { ...document, json }, undo);
}

/** Sets an entry, or deletes it where `value` is undefined. */
function put<V>(map: Map<string, V>, key: string, value: V | undefined, undo: Undo): void {
  const before = map.get(key);
  undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
