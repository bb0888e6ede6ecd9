import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import {
  type Adopter,
  askGateway,
  type FileShipper,
  type FoundLost,
  findLost,
  giveUp,
  holdingBack,
  joinFleet,
  keepLease,
  type Lease,
  notifyingStore,
  type Shipper,
  startAdopter,
  startFileShipper,
  startShipper,
  TakenFile,
} from '@moorage/fleet';
import {
  type FeedBatch,
  type Folders,
  type Host,
  type Incoming,
  type Listener,
  type Log,
  listenBus,
  nodeClock,
  type Store,
  type StoreWithFeed,
  storedState,
  type Workspaces,
} from '@moorage/host';
import type { SessionState, URI } from '@moorage/protocol';
import { UsageError } from '../usage-error.js';
import { VERSION } from '../version.js';
import { assertBusUrl } from './bus-url.js';

export interface MemberOptions {
  readonly fleet: readonly string[];
  readonly enrol?: string;
  readonly name?: string;
  readonly onIsolation: 'continue' | 'pause';
  readonly dataDir: string;
  readonly log: Log;
}

/** A host that is a member of a fleet. */
export interface Member {
  readonly id: string;
  /** The store for the host to use: what it commits is shipped to the fleet. Called before anything is committed. */
  shipping(store: StoreWithFeed): Store;
  /** Accepts clients that gateways pass on. */
  listen(onClient: (incoming: Incoming) => void): Listener;
  /** From now on the fleet also gets the files of sessions, as they are after each turn. */
  shipFiles(parts: FileParts): void;
  /**
   * Finds out which of its sessions other hosts have taken while it was away. Called before the host is made, which settles
   * what was under way in them.
   */
  findLost(store: Store): Promise<void>;
  /** From now on it takes sessions of other hosts when it is asked to, and gives up those that others have taken. */
  moveSessions(parts: FileParts & { readonly host: Pick<Host, 'moved' | 'pause'> }): void;
  /** Ticks that were committed, and that the fleet does not have yet. */
  readonly unshipped: number;
  /** Records of turns whose files the fleet does not have yet. */
  readonly unshippedFiles: number;
  /** Ships what is left, and disconnects: after the host is closed, and before its store is. */
  leave(): Promise<void>;
  /** Resolves if the fleet ends the membership. */
  readonly revoked: Promise<void>;
}

interface FileParts {
  readonly workspaces: Workspaces;
  readonly folders: Folders;
  readonly store: Store;
}

export async function joinAsMember(options: MemberOptions): Promise<Member> {
  const { fleet, enrol, name = hostname(), dataDir, onIsolation, log } = options;
  for (const url of fleet) assertBusUrl(url);
  if (!/^[^\p{C}]{1,64}$/u.test(name)) throw new UsageError('--name: expected 1 to 64 characters');
  let onRevoked = () => {};
  const revoked = new Promise<void>((resolve) => {
    onRevoked = resolve;
  });
  const joined = await joinFleet({ servers: fleet, dataDir, enrol, name, clock: nodeClock, log, onRevoked });
  const { bus, host } = joined;
  let shipper: Shipper | undefined;
  let files: FileShipper | undefined;
  let adopter: Adopter | undefined;
  let lease: Lease | undefined;
  let lost: FoundLost = new Map();
  let checkLost = () => {};
  const unshipped = () => (shipper ? shipper.last - shipper.position : 0);
  const ask = askGateway(bus, host);
  const taken = new TakenFile(dataDir);
  const notGivenUp = (error: unknown) =>
    log.write('warn', 'fleet.not-given-up', 'whether others have taken sessions of this host is not known yet', {
      reason: String(error),
    });
  return {
    id: host,
    revoked,
    shipping: (store) => {
      const onStored = ({ documents }: FeedBatch) => files?.stored(documents);
      const epochs = () => taken.epochs();
      const onFenced = () => checkLost();
      shipper = startShipper({ host, feed: store.feed(), bus, clock: nodeClock, log, epochs, onFenced, onStored });
      return notifyingStore(store, () => shipper?.notify());
    },
    listen: (onClient) => {
      // Gateways themselves hear at once, so that their lists are right while the fleet's store is down.
      const toPeople = shipper && holdingBack({ shipper, clock: nodeClock });
      const listener = listenBus({ bus, host, onClient, ...(toPeople && { toPeople }), clock: nodeClock, log });
      joined.announce(VERSION, unshipped);
      return listener;
    },
    shipFiles: ({ workspaces, folders, store }) => {
      const workspacesOf = (session: URI) => workspacesOfSession(session, { workspaces, folders, store });
      files = startFileShipper({ host, bus, clock: nodeClock, objects: workspaces.objects, workspacesOf, log });
      void files.compare(store);
    },
    findLost: async (store) => {
      lost = await findLost(ask, store).catch(() => lost); // no gateway is there: it is asked again later
    },
    moveSessions: ({ host: { moved, pause }, workspaces, folders, store }) => {
      adopter = startAdopter({ host, bus, ask, clock: nodeClock, log, taken, moved, workspaces, folders });
      const options = { name, ask, store, moved, taken, log };
      let checking = adopter.resumed.then(() => giveUp(options, lost)).catch(notGivenUp);
      checkLost = () => {
        checking = checking.then(async () => giveUp(options, await findLost(ask, store))).catch(notGivenUp);
      };
      bus.onState((isUp) => isUp && checkLost());
      if (onIsolation === 'continue') return;
      const onHeld = (isHeld: boolean) => pause(isHeld ? undefined : CUT_OFF);
      lease = keepLease({ ask, clock: nodeClock, log, onHeld, onRefused: () => checkLost() });
      bus.onState((isUp) => isUp && lease?.renew());
    },
    get unshipped() {
      return unshipped();
    },
    get unshippedFiles() {
      return files?.waiting ?? 0;
    },
    leave: async () => {
      const last = Promise.all([shipper?.shipped(), lease?.end()]);
      await Promise.race([last, new Promise((resolve) => setTimeout(resolve, LAST_MS).unref())]);
      adopter?.close();
      const closed = [shipper?.close(), files?.close()];
      await joined.leave(); // which ends a batch under way
      await Promise.all(closed);
    },
  };
}

/** Without those that cannot be found out, because the session is damaged or a folder is no longer named by a path. */
function workspacesOfSession(session: URI, { workspaces, folders, store }: FileParts): string[] {
  const stored = store.channels.read(session);
  if (stored?.kind !== 'session') return [];
  const { workingDirectories = [] } = storedState(session, stored).state as SessionState;
  return workingDirectories.flatMap((uri) => {
    try {
      return workspaces.idOf(folders.resolve(uri));
    } catch {
      return uri.startsWith('file:') ? workspaces.idOf(fileURLToPath(uri)) : [];
    }
  });
}

/** What sessions show whose turn cannot go on. */
const CUT_OFF = 'Paused: this host is cut off from its fleet';

/** Milliseconds for the fleet to store the last that a host did before it stops; the next start ships what is left. */
const LAST_MS = 2_000;
