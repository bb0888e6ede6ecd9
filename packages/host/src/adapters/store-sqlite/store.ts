import type { Log } from '../../ports/log.js';
import { type DocumentReader, type StoredDocument, StoreError, type StoreWithFeed } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';
import { createChannelReader } from './channels.js';
import type { Transaction } from './commit.js';
import { createCommit } from './commit.js';
import { toStoreError } from './errors.js';
import { createFeed } from './feed/feed.js';
import { createHeaderReader } from './header.js';
import { createSessionReader } from './sessions.js';
import { markClosed } from './unclean-end.js';

export interface StoreParts {
  readonly file: string;
  readonly transaction: Transaction;
  readonly log?: Log | undefined;
}

/** The store on an open, migrated database. Every call throws only StoreErrors, and one of them once the store is closed. */
export function createStore(database: Database, { file, transaction, log }: StoreParts): StoreWithFeed {
  const readHeader = createHeaderReader(database);
  const feed = createFeed(database, transaction);
  const commit = createCommit(database, transaction, readHeader().seqCeiling, feed.recorder);
  const channels = createChannelReader(database, transaction, feed.neededAfter);
  const sessions = createSessionReader(database, transaction, feed.recorder);
  const documents = createDocumentReader(database);

  let closed = false;
  const guard = <T>(work: () => T): T => {
    if (closed) throw new StoreError('broken', `The store ${file} is closed.`);
    try {
      return work();
    } catch (error) {
      throw toStoreError(error, file);
    }
  };

  function* guarded(pieces: Iterable<string>) {
    const iterator = pieces[Symbol.iterator]();
    for (;;) {
      const { done, value } = guard(() => iterator.next());
      if (done) return;
      yield value;
    }
  }

  return {
    get header() {
      return guard(readHeader);
    },
    commit: (batch) => guard(() => commit(batch)),
    channels: {
      read: (uri) => guard(() => channels.read(uri)),
      readInPieces: (uri) => {
        const found = guard(() => channels.readInPieces(uri));
        return found && { ...found, snapshot: { ...found.snapshot, pieces: guarded(found.snapshot.pieces) } };
      },
      exists: (uri) => guard(() => channels.exists(uri)),
      replay: (uri, afterSeq) => guard(() => channels.replay(uri, afterSeq)),
      trim: (uri, keepBytes) => guard(() => channels.trim(uri, keepBytes)),
    },
    sessions: {
      list: () => guard(sessions.list),
      count: () => guard(sessions.count),
      listDisposed: () => guard(sessions.listDisposed),
      readDisposed: (session) => guard(() => channels.readDisposed(session)),
      purge: (disposedBefore) => guard(() => sessions.purge(disposedBefore)),
    },
    documents: {
      read: (collection, key) => guard(() => documents.read(collection, key)),
      ofSession: (session) => guard(() => documents.ofSession(session)),
      entriesOf: (session) => guard(() => documents.entriesOf(session)),
    },
    feed: (options) => {
      const opened = guard(() => feed.open(options));
      return {
        get id() {
          return guard(() => opened.id);
        },
        get start() {
          return guard(() => opened.start);
        },
        get last() {
          return guard(() => opened.last);
        },
        get acknowledged() {
          return guard(() => opened.acknowledged);
        },
        read: (after, maxBytes) => guard(() => opened.read(after, maxBytes)),
        acknowledge: (upTo) => guard(() => opened.acknowledge(upTo)),
        restart: () => guard(opened.restart),
      };
    },
    close: () => {
      if (closed) return;
      closed = true;
      close(database, file, log);
    },
  };
}

/**
 * Leaves a single file with all data, which is easy to copy. If that fails, the rest of the data is safe in the WAL beside it.
 * (@photostructure/sqlite closes the file only when its statements are garbage-collected; an empty WAL may stay until then.)
 */
function close(database: Database, file: string, log: Log | undefined): void {
  const attempt = (step: () => void, failure: string) => {
    try {
      step();
    } catch (error) {
      log?.write('warn', 'store.close-failed', failure, { file, reason: toStoreError(error, file).message });
    }
  };
  attempt(() => markClosed(database), 'store closed without saying so: it counts as open until the next start');
  attempt(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'), 'store closed without a checkpoint');
  database.close();
}

function createDocumentReader(database: Database): DocumentReader {
  const select = database.prepare<{ json: string; valid: number }>(
    'SELECT json, json_valid(json) AS valid FROM documents WHERE collection = ? AND key = ?',
  );
  const selectOfSession = database.prepare<{ json: string }>(
    'SELECT json FROM documents JOIN sessions ON sessions.id = session_id WHERE sessions.uri = ?',
  );
  const selectEntries = database.prepare<StoredDocument>(
    `SELECT collection, key, json FROM documents JOIN sessions ON sessions.id = session_id WHERE sessions.uri = ?`,
  );
  return {
    read: (collection, key) => {
      const row = select.get(collection, key);
      if (row?.valid === 0) throw new SyntaxError(`the document ${collection} ${key} is no longer valid JSON`);
      return row?.json;
    },
    ofSession: (session) => selectOfSession.all(session).map(({ json }) => json),
    entriesOf: (session) => selectEntries.all(session),
  };
}
