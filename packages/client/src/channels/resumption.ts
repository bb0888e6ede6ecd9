import type { ActionEnvelope } from '@moorage/protocol';
import type { RawSnapshots } from '../wire/read-handshake.js';
import { readSnapshot } from '../wire/read-snapshot.js';
import { Channel } from './channel.js';
import type { ChannelTable, Entry } from './channel-table.js';

/** The channels that a `reconnect` can resume: those with a state that a replay can build on. */
export function resumableUris(table: ChannelTable): string[] {
  return table
    .channels()
    .filter(({ phase }) => phase === 'suspended')
    .map(({ uri }) => uri);
}

/** The channels that an `initialize` is to bring snapshots of. */
export function restorableUris(table: ChannelTable): string[] {
  return table
    .entries()
    .filter(isRestorable)
    .map(({ uri }) => uri);
}

function isRestorable(entry: Entry): boolean {
  return entry instanceof Channel || entry.expected;
}

/** Takes over what a `reconnect` replayed for the listed channels. */
export function replay(
  table: ChannelTable,
  listed: readonly string[],
  { actions, missing }: { readonly actions: readonly ActionEnvelope[]; readonly missing: readonly string[] },
): void {
  const byChannel = new Map<string, ActionEnvelope[]>();
  for (const envelope of actions) {
    const known = byChannel.get(envelope.channel);
    if (known) known.push(envelope);
    else byChannel.set(envelope.channel, [envelope]);
  }
  for (const uri of listed) {
    if (missing.includes(uri)) table.end(uri);
    else table.channel(uri)?.resume(byChannel.get(uri) ?? []);
  }
}

/**
 * Takes over the snapshots that a handshake brought for the listed channels, and gives their numbers. A channel without
 * one is gone (B-77, OQ-11); one with a bad one is stale and will be fetched alone.
 */
export function restore(
  table: ChannelTable,
  listed: readonly string[],
  snapshots: RawSnapshots,
  report: (error: unknown) => void,
): number[] {
  const seqs: number[] = [];
  for (const uri of listed) {
    const entry = table.entry(uri);
    // Released meanwhile; whoever took it again since gets the snapshot of a `subscribe` that follows the `unsubscribe`.
    if (!entry || !isRestorable(entry)) continue;
    try {
      const snapshot = readSnapshot(entry.kind, uri, snapshots.get(uri));
      if (entry instanceof Channel) entry.replace(snapshot);
      else table.welcome(entry, snapshot);
      seqs.push(snapshot.fromSeq);
    } catch (error) {
      if (snapshots.has(uri)) report(error);
      if (!(entry instanceof Channel)) table.abandon(entry, error);
      else if (snapshots.has(uri)) entry.missSnapshot();
      else table.end(uri);
    }
  }
  return seqs;
}
