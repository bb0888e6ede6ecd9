import { randomUUID } from 'node:crypto';
import type { URI } from '@moorage/protocol';
import { type FeedBatch, type FeedOptions, type StoreBatch, StoreError, type StoreFeed } from '../../ports/store.js';
import { documentId, type MemoryChange, type MemoryDisk, type MemoryFeed } from './disk.js';

export interface MemoryFeedPart {
  open(options?: FeedOptions): StoreFeed;
  /** The tick of a batch that is about to be committed; undefined when it has none. */
  tickOf(batch: StoreBatch): number | undefined;
  committed(batch: StoreBatch, tick: number | undefined): void;
  /** The tick after which log entries are still needed. */
  neededAfter(): number;
}

const MAX_KEPT_BYTES = 1024 ** 3;

export function createFeed(disk: MemoryDisk): MemoryFeedPart {
  let isUsed = false;
  let maxKeptBytes = MAX_KEPT_BYTES;

  const startOver = (): MemoryFeed => {
    const [start, changes] = [disk.lastTick, new Map<string, MemoryChange>()];
    const each = (kind: MemoryChange['kind'], key: string) =>
      changes.set(`${kind} ${key}`, { kind, key, tick: ++disk.lastTick, isWhole: true });
    for (const uri of disk.channels.keys()) each('channel', uri);
    for (const [uri, { summary }] of disk.sessions) if (summary) each('session', uri);
    for (const [id, { session }] of disk.documents) if (session !== undefined) each('document', id);
    disk.feed = { id: randomUUID(), start, acknowledged: start, changes };
    return disk.feed;
  };
  const inUse = (): MemoryFeed => disk.feed ?? startOver();
  const requireTick = (tick: number) => {
    const { acknowledged } = inUse();
    if (tick >= acknowledged && tick <= disk.lastTick) return;
    throw new StoreError(
      'broken',
      `The feed has the ticks ${acknowledged} to ${disk.lastTick}, not ${tick}: start it over.`,
    );
  };

  return {
    open: (options = {}) => {
      isUsed = true;
      maxKeptBytes = options.maxKeptBytes ?? MAX_KEPT_BYTES;
      inUse();
      return {
        get id() {
          return inUse().id;
        },
        get start() {
          return inUse().start;
        },
        get last() {
          return disk.lastTick;
        },
        get acknowledged() {
          return inUse().acknowledged;
        },
        read: (after, maxBytes) => {
          requireTick(after);
          return readBatch(disk, inUse(), after, maxBytes);
        },
        acknowledge: (upTo) => {
          requireTick(upTo);
          const feed = inUse();
          for (const [id, { tick }] of feed.changes) if (tick <= upTo) feed.changes.delete(id);
          disk.feed = { ...feed, acknowledged: upTo };
        },
        restart: () => void startOver(),
      };
    },
    tickOf: (batch) => {
      const isEmpty = changesOf(batch).length === 0 && !batch.log?.length;
      return isUsed && !isEmpty ? disk.lastTick + 1 : undefined;
    },
    committed: (batch, tick) => {
      if (!isUsed) disk.feed = undefined; // it would not have what was committed now
      if (tick === undefined) return;
      const { changes } = inUse();
      for (const { kind, key } of changesOf(batch)) {
        const id = `${kind} ${key}`;
        changes.set(id, { kind, key, tick, isWhole: changes.get(id)?.isWhole ?? false });
      }
      disk.lastTick = tick;
    },
    neededAfter: () => {
      if (!disk.feed) return Infinity;
      const { acknowledged } = disk.feed;
      const kept = entriesOf(disk).filter(({ tick = 0 }) => tick > acknowledged);
      const bytes = kept.reduce((sum, { envelopes }) => sum + Buffer.byteLength(envelopes), 0);
      return (bytes > maxKeptBytes ? startOver() : disk.feed).acknowledged;
    },
  };
}

function changesOf({ channels = [], summaries = [], disposals = [], documents = [] }: StoreBatch) {
  const change = (kind: MemoryChange['kind'], key: string) => ({ kind, key });
  return [
    ...channels.flatMap(({ uri, snapshot, removed }) => (snapshot || removed ? [change('channel', uri)] : [])),
    ...[...summaries, ...disposals].map(({ session }) => change('session', session)),
    ...documents.flatMap(({ collection, key, session, json }) =>
      session !== undefined || json === undefined ? [change('document', documentId(collection, key))] : [],
    ),
  ];
}

function entriesOf({ channels }: MemoryDisk) {
  return [...channels.values()].flatMap(({ content }) => content?.log ?? []);
}

function readBatch(disk: MemoryDisk, feed: MemoryFeed, after: number, maxBytes: number): FeedBatch {
  const entries = entriesOf(disk).filter(({ tick = 0 }) => tick > after);
  const changes = [...feed.changes.values()].filter(({ tick }) => tick > after);
  const ticks = [...new Set([...entries, ...changes].map(({ tick = 0 }) => tick))];
  const batch = { channels: [], log: [], sessions: [], documents: [] } as Collected;
  let [upTo, bytes] = [after, 0];
  for (const tick of ticks.sort((a, b) => a - b)) {
    if (bytes >= maxBytes && upTo !== after) break;
    for (const change of changes) if (change.tick === tick) bytes += take(disk, feed, batch, change);
    for (const { tick: of, ...entry } of entries) {
      if (of !== tick) continue;
      batch.log.push(entry);
      bytes += entry.envelopes.length;
    }
    upTo = tick;
  }
  if (upTo === (ticks.at(-1) ?? after)) upTo = disk.lastTick;
  const named = new Set(batch.channels.map(({ uri }) => uri));
  for (const uri of new Set<URI>(batch.log.map(({ channel }) => channel))) {
    const change = feed.changes.get(`channel ${uri}`);
    if (change && !named.has(uri) && change.tick > upTo) take(disk, feed, batch, change);
  }
  return { after, upTo, ...batch };
}

type Collected = { -readonly [Part in keyof Omit<FeedBatch, 'after' | 'upTo'>]: FeedBatch[Part][number][] };

/** Adds the newest value of what changed; returns its size. */
function take(disk: MemoryDisk, feed: MemoryFeed, batch: Collected, { kind, key, isWhole }: MemoryChange): number {
  if (kind === 'channel') {
    const channel = disk.channels.get(key);
    if (!channel) return 0; // purged
    const { snapshot, replayableAfter = 0, log = [] } = channel.content ?? {};
    batch.channels.push({ uri: key, kind: channel.kind, session: channel.session, snapshot, replayableAfter, isWhole });
    const before = isWhole ? log.filter(({ tick = 0 }) => tick <= feed.start) : [];
    for (const { tick: _, ...entry } of before) batch.log.push(entry);
    return (snapshot?.json.length ?? 0) + before.reduce((sum, { envelopes }) => sum + envelopes.length, 0);
  }
  if (kind === 'session') {
    const { summary, disposedAt } = disk.sessions.get(key) ?? {};
    if (summary)
      batch.sessions.push({ session: key, modifiedAt: summary.modifiedAt, summary: summary.json, disposedAt });
    return summary?.json.length ?? 0;
  }
  const document = disk.documents.get(key);
  if (document && document.session === undefined) return 0;
  const [collection, ...words] = key.split(' ');
  const deleted = { collection: collection as never, key: words.join(' '), json: undefined };
  batch.documents.push(document ?? deleted);
  return document?.json.length ?? 0;
}
