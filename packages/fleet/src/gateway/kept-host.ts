import { type Clock, createMemoryStore, type KeptHostOptions, type Log } from '@moorage/host';
import { ExtensionMeta, kindOfUri } from '@moorage/protocol';
import { OBJECT_ID, unpackObject } from '../files/objects.js';
import type { RegisteredHost } from '../registry/registry.js';
import type { FleetStore } from '../store/fleet-store.js';
import { keptListing } from './session-listing.js';

export interface KeptHostParts {
  readonly host: RegisteredHost;
  readonly store: FleetStore;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the fleet has of a host that is away or gone, for `acceptAtKeptHost`. */
export function keptHost({ host, store, version, clock, log }: KeptHostParts): KeptHostOptions {
  const { id, name, seenAt, revokedAt } = host;
  const since = seenAt === undefined ? undefined : new Date(seenAt).toISOString();
  const why = revokedAt === undefined ? 'is away' : 'was removed from the fleet';
  return {
    store: createMemoryStore(),
    clock,
    log,
    info: { name: 'moorage-gateway', title: 'Moorage', version },
    meta: { [ExtensionMeta.away]: { id, name, ...(since !== undefined && { seenAt: since }) } },
    refusal: `the host ${name} ${why}: what it had can only be read`,
    list: keptListing(store.sessions, id),
    readChannel: async (uri) => {
      if (!KEPT_KINDS.has(kindOfUri(uri) ?? '')) return undefined;
      const channel = await store.channels.read(uri);
      // A session that the host took shortly before it went away is still as its old host left it.
      const owner = channel && (channel.host === id ? id : (await store.sessions.owner(channel.session))?.host);
      return owner === id ? channel : undefined;
    },
    readContent: (key) => store.sessions.document(id, 'content', key),
    changes: {
      record: (key) => store.sessions.document(id, 'changes', key),
      content: async (content) => {
        if (!OBJECT_ID.test(content)) return undefined;
        const [kept] = await store.files.get(id, [content]);
        const object = kept && (await unpackObject(kept));
        return kept?.notKept ?? (object?.type === 'blob' ? object.content : undefined);
      },
    },
  };
}

/** Other channels are in the memory of a host only: changesets, terminals, watches. */
const KEPT_KINDS: ReadonlySet<string> = new Set(['session', 'chat', 'annotations']);
