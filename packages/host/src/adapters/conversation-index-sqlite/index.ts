import { closeSync, openSync, rmSync } from 'node:fs';
import { type ConversationIndex, keyOfTurn } from '../../ports/conversation-index.js';
import { MAX_MATCHES, searchWords } from '../shared/search-words.js';
import { type Database, openDatabase } from '../shared/sqlite.js';

/**
 * An index in a SQLite file of its own, with FTS5. Not in the store: a commit of the host must not wait for it, and a damaged
 * index is simply made again.
 */
export function sqliteConversationIndex(file: string): ConversationIndex {
  try {
    return open(file);
  } catch {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    return open(file);
  }
}

function open(file: string): ConversationIndex {
  closeSync(openSync(file, 'a', 0o600)); // only this user may read what was said; SQLite's other files get the same mode
  const database = openDatabase(file);
  try {
    prepare(database);
    return createIndex(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Changes with the tables: a file of another format is made anew. */
const FORMAT = 1;

function prepare(database: Database): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  const format = database.prepare<{ user_version: number }>('PRAGMA user_version').get()?.user_version ?? 0;
  if (format === FORMAT) return;
  if (format !== 0) throw new Error('the index has another format');
  database.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE sessions (id INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE, version TEXT) STRICT;
    CREATE TABLE turns (
      id INTEGER PRIMARY KEY,
      session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      chat TEXT NOT NULL,
      turn TEXT NOT NULL,
      UNIQUE (session_id, chat, turn)
    ) STRICT;
    CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
    PRAGMA user_version = ${FORMAT};
    COMMIT;
  `);
}

function createIndex(database: Database): ConversationIndex {
  const selectComplete = database.prepare<{ uri: string; version: string }>(
    'SELECT uri, version FROM sessions WHERE version IS NOT NULL',
  );
  const selectTurns = database.prepare<{ id: number; chat: string; turn: string }>(
    'SELECT turns.id, chat, turn FROM turns JOIN sessions ON sessions.id = session_id WHERE uri = ?',
  );
  const addSession = database.prepare('INSERT INTO sessions (uri) VALUES (?) ON CONFLICT (uri) DO NOTHING');
  const addTurn = database.prepare<{ id: number }>(`
    INSERT INTO turns (session_id, chat, turn) SELECT id, ?, ? FROM sessions WHERE uri = ?
    ON CONFLICT (session_id, chat, turn) DO UPDATE SET chat = excluded.chat RETURNING id
  `);
  const removeText = database.prepare('DELETE FROM texts WHERE rowid = ?');
  const addText = database.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  const removeTurn = database.prepare('DELETE FROM turns WHERE id = ?');
  const removeTexts = database.prepare(
    'DELETE FROM texts WHERE rowid IN (SELECT turns.id FROM turns JOIN sessions ON sessions.id = session_id WHERE uri = ?)',
  );
  const removeSession = database.prepare('DELETE FROM sessions WHERE uri = ?');
  const setVersion = database.prepare('UPDATE sessions SET version = ? WHERE uri = ?');
  const find = database.prepare<{ id: number; session: string; chat: string; turn: string }>(`
    SELECT turns.id, sessions.uri AS session, chat, turn, min(score) AS best
    FROM (SELECT rowid AS id, rank AS score FROM texts WHERE texts MATCH ? ORDER BY rowid DESC LIMIT ${MAX_MATCHES}) AS found
    JOIN turns ON turns.id = found.id JOIN sessions ON sessions.id = session_id
    GROUP BY sessions.id ORDER BY best, turns.id DESC LIMIT ? OFFSET ?
  `);
  const excerpt = database.prepare<{ text: string }>(
    "SELECT snippet(texts, 0, '', '', '…', 20) AS text FROM texts WHERE texts MATCH ? AND rowid = ?",
  );

  const transaction = (work: () => void) => {
    database.exec('BEGIN IMMEDIATE');
    try {
      work();
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  };
  let isClosed = false;

  return {
    sessions: () => new Map(selectComplete.all().map(({ uri, version }) => [uri, version])),
    turnsOf: (session) => new Set(selectTurns.all(session).map(({ chat, turn }) => keyOfTurn({ chat, turnId: turn }))),
    put: (session, turns) =>
      transaction(() => {
        addSession.run(session);
        for (const { chat, turnId, text } of turns) {
          const id = addTurn.get(chat, turnId, session)?.id ?? 0;
          removeText.run(id);
          addText.run(id, text);
        }
      }),
    removeTurns: (session, keys) =>
      transaction(() => {
        const wanted = new Set(keys);
        for (const { id, chat, turn } of selectTurns.all(session)) {
          if (!wanted.has(keyOfTurn({ chat, turnId: turn }))) continue;
          removeText.run(id);
          removeTurn.run(id);
        }
      }),
    complete: (session, version) =>
      transaction(() => {
        addSession.run(session);
        setVersion.run(version, session);
      }),
    remove: (session) =>
      transaction(() => {
        removeTexts.run(session);
        removeSession.run(session);
      }),
    search(query, { offset, limit }) {
      const words = searchWords(query);
      if (words.length === 0) return [];
      const match = `${words.map((word) => `"${word}"`).join(' AND ')} *`;
      return find.all(match, limit, offset).map(({ id, session, chat, turn }) => {
        const text = excerpt.get(match, id)?.text ?? '';
        return { session, chat, turnId: turn, excerpt: text.replace(/\s+/g, ' ') };
      });
    },
    close: () => {
      if (!isClosed) database.close();
      isClosed = true;
    },
  };
}
