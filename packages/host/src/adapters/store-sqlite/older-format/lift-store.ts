import type { ChannelKind, JsonObject, URI } from '@moorage/protocol';
import type { Database } from '../../shared/sqlite.js';
import { invalidateResumption } from '../invalidate-resumption.js';
import type { Lift, LiftedChannel, LiftedSession } from './lift.js';
import { liftDocument, liftEntry, liftSnapshot, liftSummary, objectIn } from './lift-texts.js';
import { unlessUnreadable } from './unless-damaged.js';

/**
 * Lifts all rows of a store, session by session and row by row, within a transaction of the caller. The log goes into the
 * snapshots: its actions were for clients that know the old form, so those that reconnect get snapshots. What cannot be
 * read stays as it is, and is returned: it was damaged before, and `moorage recover` saves the rest of it.
 */
export function liftStore(database: Database, lift: Lift): URI[] {
  const unread: URI[] = [];
  const liftChannel = channelLifter(database, lift, unread);
  const channelsOf = database.prepare<ChannelRow>(
    'SELECT id, uri, kind FROM channels WHERE session_id = ? AND NOT removed ORDER BY id',
  );
  const sessionAt = database.prepare<{ uri: URI; summary: string | null }>(
    'SELECT uri, summary FROM sessions WHERE id = ?',
  );
  const putSummary = database.prepare('UPDATE sessions SET summary = ? WHERE id = ?');
  for (const { id } of database.prepare<{ id: number }>('SELECT id FROM sessions').all()) {
    const row = sessionAt.get(id);
    if (!row) continue;
    const { uri, summary } = row;
    const channels = channelsOf.all(id);
    const own = channels.find((channel) => channel.uri === uri);
    const state = own && liftChannel(own, undefined);
    const oldSummary = summary === null ? undefined : unlessUnreadable(() => objectIn(summary));
    const session = { uri, state, oldSummary };
    for (const channel of channels) if (channel !== own) liftChannel(channel, session);
    if (summary === null) continue;
    const lifted = unlessUnreadable(() => liftSummary(lift, summary, state));
    if (lifted === undefined) unread.push(uri);
    else if (lifted !== summary) putSummary.run(lifted, id);
  }
  for (const collection of Object.keys(lift.documents)) liftDocuments(database, lift, collection);
  const host = database.prepare<{ seq_ceiling: number }>('SELECT seq_ceiling FROM host').get();
  if (host?.seq_ceiling !== 0) invalidateResumption(database); // nobody has seen anything of a new store
  return [...new Set(unread)];
}

interface ChannelRow {
  readonly id: number;
  readonly uri: URI;
  readonly kind: ChannelKind;
}

/** Lifts a channel, and returns its state; undefined if that cannot be known. */
type ChannelLifter = (row: ChannelRow, session: LiftedSession | undefined) => JsonObject | undefined;

function channelLifter(database: Database, lift: Lift, unread: URI[]): ChannelLifter {
  const snapshotOf = database.prepare<{ seq: number; json: string }>(
    'SELECT seq, json FROM snapshots WHERE channel_id = ?',
  );
  const putSnapshot = database.prepare('UPDATE snapshots SET seq = ?, json = ? WHERE channel_id = ?');
  const entriesOf = database.prepare<{ id: number; last_seq: number }>(
    'SELECT id, last_seq FROM log WHERE channel_id = ? ORDER BY first_seq',
  );
  const entryAt = database.prepare<{ envelopes: string }>('SELECT envelopes FROM log WHERE id = ?');
  const putEntry = database.prepare('UPDATE log SET envelopes = ? WHERE id = ?');
  const deleteUpTo = database.prepare('DELETE FROM log WHERE channel_id = ? AND last_seq <= ?');

  return ({ id, uri, kind }, session) => {
    const channel: LiftedChannel = { uri, kind, session };
    const snapshot = unlessUnreadable(() => snapshotOf.get(id));
    let state = snapshot && unlessUnreadable(() => liftSnapshot(lift, snapshot.json, channel));
    // Up to where the log is in the state. An entry that cannot be read stays, and all after it, so that the channel
    // remains recognizable as damaged.
    let seq = state && snapshot ? snapshot.seq : 0;
    let isWhole = state !== undefined;
    for (const entry of entriesOf.all(id)) {
      if (isWhole && entry.last_seq <= seq) continue;
      const lifted = unlessUnreadable(() =>
        liftEntry(lift, entryAt.get(entry.id)?.envelopes ?? '', channel, { state, after: isWhole ? seq : 0 }),
      );
      if (!lifted) isWhole = false;
      else if (!isWhole) putEntry.run(lifted.envelopes, entry.id);
      else [state, seq] = [lifted.state, entry.last_seq];
    }
    const json = state && unlessUnreadable(() => JSON.stringify(state));
    if (!isWhole || json === undefined) unread.push(uri);
    if (json !== undefined) {
      putSnapshot.run(seq, json, id);
      deleteUpTo.run(id, seq);
    }
    return state;
  };
}

function liftDocuments(database: Database, lift: Lift, collection: string): void {
  const keys = database.prepare<{ key: string }>('SELECT key FROM documents WHERE collection = ?').all(collection);
  const read = database.prepare<{ json: string }>('SELECT json FROM documents WHERE collection = ? AND key = ?');
  const put = database.prepare('UPDATE documents SET key = ?, json = ? WHERE collection = ? AND key = ?');
  for (const { key } of keys) {
    const json = read.get(collection, key)?.json ?? '';
    const lifted = unlessUnreadable(() => liftDocument(lift, collection, { key, json }));
    if (lifted) put.run(lifted.key, lifted.json, collection, key);
  }
}
