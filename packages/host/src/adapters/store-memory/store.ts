import { StoreError, type StoreWithFeed } from '../../ports/store.js';
import { createChannelReader } from './channels.js';
import { createCommit } from './commit.js';
import { createMemoryDisk, documentId, type MemoryDisk } from './disk.js';
import { createFeed } from './feed.js';
import { createSessionReader } from './sessions.js';

/** A store that behaves like a durable one, but keeps its data only as long as the `MemoryDisk` object lives. */
export function createMemoryStore(disk: MemoryDisk = createMemoryDisk()): StoreWithFeed {
  let closed = false;
  const opened = <T>(part: T): T => {
    if (closed) throw new StoreError('broken', 'The store in memory is closed.');
    return part;
  };
  const feed = createFeed(disk);
  const commit = createCommit(disk, feed);
  const channels = createChannelReader(disk, feed.neededAfter);
  const sessions = createSessionReader(disk);
  return {
    get header() {
      return opened({ seqCeiling: disk.seqCeiling, unsettled: channels.unsettled() });
    },
    commit: (batch) => opened(commit)(batch),
    channels: {
      read: (uri) => opened(channels).read(uri),
      readInPieces: (uri) => opened(channels).readInPieces(uri),
      exists: (uri) => opened(channels).exists(uri),
      replay: (uri, afterSeq) => opened(channels).replay(uri, afterSeq),
      trim: (uri, keepBytes) => opened(channels).trim(uri, keepBytes),
    },
    sessions: {
      list: () => opened(sessions).list(),
      count: () => opened(sessions).count(),
      listDisposed: () => opened(sessions).listDisposed(),
      readDisposed: (session) => opened(channels).readDisposed(session),
      purge: (disposedBefore) => opened(sessions).purge(disposedBefore),
    },
    documents: {
      read: (collection, key) => opened(disk).documents.get(documentId(collection, key))?.json,
      entriesOf: (uri) =>
        [...opened(disk).documents.values()].flatMap(({ collection, key, session, json }) =>
          session === uri ? { collection, key, json } : [],
        ),
      ofSession: (uri) =>
        [...opened(disk).documents.values()].flatMap(({ session, json }) => (session === uri ? [json] : [])),
    },
    feed: (options) => {
      const part = opened(feed).open(options);
      return {
        get id() {
          return opened(part).id;
        },
        get start() {
          return opened(part).start;
        },
        get last() {
          return opened(part).last;
        },
        get acknowledged() {
          return opened(part).acknowledged;
        },
        read: (after, maxBytes) => opened(part).read(after, maxBytes),
        acknowledge: (upTo) => opened(part).acknowledge(upTo),
        restart: () => opened(part).restart(),
      };
    },
    close: () => {
      closed = true;
    },
  };
}
