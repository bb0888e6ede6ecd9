import { resolve } from 'node:path';
import type { ChannelKind } from '@moorage/protocol';
import type { DamagedChannel, DamagedDocument, DamagedSession, DamagedStore } from '../../../ports/damaged-store.js';
import type { DocumentCollection } from '../../../ports/store.js';
import { liftToToday, TODAYS_FORMAT } from '../older-format/lift.js';
import { liftDamaged } from '../older-format/lift-damaged.js';
import { MARK_COLLECTION } from '../unclean-end.js';
import { openPages, type Pages } from './pages.js';
import { findRows, type RecoveredRows, type Row } from './rows.js';

/** Reads what can still be read of a store's file, however damaged it is, and whichever version of moorage wrote it. */
export function openDamagedStore(file: string): DamagedStore {
  const pages = openPages(resolve(file));
  return liftDamaged(readPages(pages), liftToToday, (pages.format ?? TODAYS_FORMAT) < TODAYS_FORMAT);
}

function readPages(pages: Pages): DamagedStore {
  const found = findRows(pages);
  const { tables } = found;
  const listed = [...tables.sessions.values()].flatMap(toSession);
  const idOf = new Map(listed.map(({ uri, id }) => [uri, id]));
  // A session's own channel has the same URI as the session, so a damaged id cannot split a session in two.
  const channels = [...tables.channels.values()]
    .flatMap(toChannel)
    .map((channel) => ({ ...channel, session: idOf.get(channel.uri) ?? channel.session }));
  const sessions = [...listed, ...unlistedSessions(channels, new Set(listed.map(({ id }) => id)))];
  const logByChannel = groupLog(found);
  const known = new Set([...sessions, ...channels].map(({ uri }) => uri));
  const removed = new Set([...tables.channels.values()].map((row) => row.text(1)));
  return {
    seqCeiling: highestSeq(found),
    sessions,
    channels,
    snapshot: ({ id }) => {
      const row = tables.snapshots.get(id);
      const json = row?.text(2);
      return json === undefined ? undefined : { seq: row?.number(1) ?? 0, json };
    },
    log: ({ id }) => {
      const rows = logByChannel.get(id) ?? [];
      const entries = rows.flatMap((row) => {
        const envelopes = row.text(4);
        return envelopes === undefined ? [] : [{ lastSeq: row.number(3) ?? 0, envelopes }];
      });
      const expected = [...(found.logOfChannel.get(id) ?? [])];
      const hasGaps = entries.length < rows.length || expected.some((rowid) => !tables.log.has(rowid));
      return { entries, hasGaps };
    },
    documents: function* () {
      for (const row of tables.documents.values()) yield* toDocument(row);
    },
    unreadable: [...found.uris].filter((uri) => !known.has(uri) && !removed.has(uri)),
    unreadableDocuments: [...found.documentRows].filter((rowid) => !tables.documents.has(rowid)).length,
    missingBytes: pages.missingBytes,
    close: () => pages.close(),
  };
}

function toSession(row: Row): DamagedSession[] {
  const uri = row.text(1);
  return uri === undefined ? [] : [{ id: row.rowid, uri, summary: row.text(3), disposedAt: row.number(4) }];
}

/** Channels that are stored under their own name, as a session is. */
const OWN: ReadonlySet<ChannelKind> = new Set(['session', 'automation', 'automationRun']);

/** Sessions whose row is lost, but whose channel is there. */
function unlistedSessions(channels: readonly DamagedChannel[], listed: ReadonlySet<number>): DamagedSession[] {
  const own = channels.filter(({ kind, session }) => OWN.has(kind) && !listed.has(session));
  return own.map(({ uri, session }) => ({ id: session, uri, summary: undefined, disposedAt: undefined }));
}

function toChannel(row: Row): DamagedChannel[] {
  const [uri, kind, session, removed] = [row.text(1), row.text(2), row.number(3), row.number(4)];
  if (uri === undefined || kind === undefined || session === undefined || removed !== 0) return [];
  return [{ id: row.rowid, uri, kind: kind as ChannelKind, session }];
}

function toDocument(row: Row): DamagedDocument[] {
  const [collection, key, json] = [row.text(0), row.text(1), row.text(3)];
  if (collection === undefined || key === undefined || json === undefined) return [];
  if (collection === MARK_COLLECTION) return []; // about the damaged store itself
  return [{ collection: collection as DocumentCollection, key, session: row.number(2), json }];
}

function groupLog({ tables }: RecoveredRows): Map<number, Row[]> {
  const byChannel = new Map<number, Row[]>();
  for (const row of tables.log.values()) {
    const channel = row.number(1) ?? 0;
    const rows = byChannel.get(channel);
    if (rows) rows.push(row);
    else byChannel.set(channel, [row]);
  }
  for (const rows of byChannel.values()) rows.sort((a, b) => (a.number(2) ?? 0) - (b.number(2) ?? 0));
  return byChannel;
}

/** Ignores numbers that are too high to be real: they come from damaged bytes. */
function highestSeq({ tables }: RecoveredRows): number {
  let highest = 0;
  const consider = (seq: number | undefined) => {
    if (seq !== undefined && Number.isSafeInteger(seq) && seq < MAX_CREDIBLE_SEQ) highest = Math.max(highest, seq);
  };
  consider(tables.host.get(1)?.number(1));
  for (const row of tables.log.values()) consider(row.number(3));
  for (const row of tables.snapshots.values()) consider(row.number(1));
  return highest;
}

/** At a thousand actions per second, a host reaches it after almost three centuries. */
const MAX_CREDIBLE_SEQ = 2 ** 43;
