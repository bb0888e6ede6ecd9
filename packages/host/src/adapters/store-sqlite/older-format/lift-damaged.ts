import { isObject, type JsonObject } from '@moorage/protocol';
import type { DamagedChannel, DamagedDocument, DamagedLogEntry, DamagedStore } from '../../../ports/damaged-store.js';
import type { Lift, LiftedChannel } from './lift.js';
import { liftDocument, liftEntry, liftSnapshot, liftSummary, objectIn } from './lift-texts.js';
import { unlessDamaged } from './unless-damaged.js';

/**
 * A damaged store with everything in the form of today. Which form it has is seen from each session's own state: a store
 * that was lifted may hold sessions that could not be. `isOld` decides for sessions whose state cannot be read.
 */
export function liftDamaged(damaged: DamagedStore, lift: Lift, isOld: boolean): DamagedStore {
  const ownChannels = new Map<number, DamagedChannel>();
  for (const channel of damaged.channels) if (channel.kind === 'session') ownChannels.set(channel.session, channel);
  const rows = new Map(damaged.sessions.map((session) => [session.id, session]));
  const readSession = remembered((id: number) => sessionIn(damaged, lift, ownChannels.get(id), isOld));
  const about = ({ uri, kind, session: id }: DamagedChannel): LiftedChannel & { isOld: boolean } => {
    const { state, isOld: isOldSession } = readSession(id);
    const { uri: session, summary } = rows.get(id) ?? {};
    if (kind === 'session' || session === undefined) return { uri, kind, isOld: isOldSession };
    const oldSummary = summary === undefined ? undefined : unlessDamaged(() => objectIn(summary));
    return { uri, kind, isOld: isOldSession, session: { uri: session, state, oldSummary } };
  };
  return {
    ...damaged,
    sessions: damaged.sessions.map((session) => {
      const { id, summary } = session;
      if (summary === undefined || !readSession(id).isOld) return session;
      const lifted = unlessDamaged(() => liftSummary(lift, summary, readSession(id).state));
      return { ...session, summary: lifted };
    }),
    snapshot: (channel) => {
      const snapshot = damaged.snapshot(channel);
      const around = about(channel);
      if (!snapshot || !around.isOld) return snapshot;
      const json = unlessDamaged(() => JSON.stringify(liftSnapshot(lift, snapshot.json, around)));
      return json === undefined ? undefined : { seq: snapshot.seq, json };
    },
    log: (channel) => {
      const log = damaged.log(channel);
      const around = about(channel);
      return around.isOld ? { ...log, entries: liftLog(damaged, lift, channel, around).entries } : log;
    },
    documents: function* () {
      for (const document of damaged.documents()) yield isOld ? liftedDocument(lift, document) : document;
    },
  };
}

interface ReadSession {
  readonly isOld: boolean;
  /** Lifted, if it was old; undefined if it cannot be read. */
  readonly state: JsonObject | undefined;
}

function sessionIn(damaged: DamagedStore, lift: Lift, own: DamagedChannel | undefined, isOld: boolean): ReadSession {
  const snapshot = own && damaged.snapshot(own);
  const state = snapshot && unlessDamaged((): unknown => JSON.parse(snapshot.json));
  if (!own || !isObject(state)) return { isOld, state: undefined };
  if (!lift.isOld(state)) return { isOld: false, state };
  return { isOld: true, state: liftLog(damaged, lift, own, { uri: own.uri, kind: own.kind }).state };
}

/** The log entries of a channel, and its state after them. An entry that makes no sense stays as it is. */
function liftLog(
  damaged: DamagedStore,
  lift: Lift,
  channel: DamagedChannel,
  around: LiftedChannel,
): { readonly entries: DamagedLogEntry[]; readonly state: JsonObject | undefined } {
  const snapshot = damaged.snapshot(channel);
  let state = snapshot && unlessDamaged(() => liftSnapshot(lift, snapshot.json, around));
  const covered = state && snapshot ? snapshot.seq : 0;
  const entries = damaged.log(channel).entries.map((entry) => {
    if (entry.lastSeq <= covered) return entry; // nobody applies it
    const lifted = unlessDamaged(() => liftEntry(lift, entry.envelopes, around, { state, after: covered }));
    if (!lifted) return entry;
    state = lifted.state;
    return { ...entry, envelopes: lifted.envelopes };
  });
  return { entries, state };
}

function liftedDocument(lift: Lift, document: DamagedDocument): DamagedDocument {
  return { ...document, ...unlessDamaged(() => liftDocument(lift, document.collection, document)) };
}

/** Remembers the last answer: what belongs to one session is read together. */
function remembered<T>(read: (id: number) => T): (id: number) => T {
  let last: { readonly id: number; readonly value: T } | undefined;
  return (id) => {
    if (last?.id !== id) last = { id, value: read(id) };
    return last.value;
  };
}
