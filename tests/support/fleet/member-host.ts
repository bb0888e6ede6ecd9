import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createFleetKeys,
  createPostgresFleetStore,
  type Database,
  type FileShipper,
  FLEET_TABLES,
  type FleetStore,
  migrate,
  notifyingStore,
  type Shipper,
  serveFiles,
  serveMoves,
  startFileShipper,
  startKeeper,
  startShipper,
} from '@moorage/fleet';
import {
  createMemoryBroker,
  type Log,
  type MemoryBroker,
  nodeClock,
  type Store,
  silentLog,
  type Workspaces,
} from '@moorage/host';
import { expect } from 'vitest';
import { turn } from '../actions.js';
import { TestHost } from '../test-host.js';
import type { WireClient } from '../wire-client.js';
import { workspacesIn } from '../workspaces.js';
import { enrolHost } from './describe-fleet-store.js';

/** A host of this process whose commits and files are shipped. */
export interface MemberHost {
  readonly id: string;
  readonly host: TestHost;
  readonly client: WireClient;
  readonly session: string;
  readonly chat: string;
  readonly files: FileShipper;
  readonly logged: string[];
  store(): Store;
  workspaces(): Workspaces;
  startFiles(): FileShipper;
  /** Resolves once the fleet has the log. */
  shipped(): Promise<void>;
  /** Runs a turn, and waits until the fleet has it with its files. */
  run(turnId: string, script: string): Promise<void>;
}

export interface MemberOptions {
  readonly name?: string;
  readonly prepare?: (folder: string) => void;
  readonly limits?: { readonly stateObjects?: number; readonly stateBytes?: number };
  readonly epochs?: () => Readonly<Record<string, number>>;
  /** Folders of the session, in the host's; without them, that is its only one. */
  readonly folders?: readonly string[];
}

/** A fleet in this process: PGlite and a bus in memory, around real hosts with real folders. */
export class MemberWorld {
  readonly database: Database;
  readonly keys = createFleetKeys();
  fleet!: FleetStore;
  broker!: MemoryBroker;
  #ended: (() => unknown)[] = [];

  constructor(database: Database) {
    this.database = database;
  }

  async begin(): Promise<void> {
    await this.database.execute('drop schema public cascade; create schema public');
    await migrate(this.database, FLEET_TABLES);
    this.fleet = createPostgresFleetStore(this.database);
    this.broker = createMemoryBroker();
  }

  async end(): Promise<void> {
    const ended = this.#ended;
    this.#ended = [];
    for (const end of ended.reverse()) await end();
  }

  onEnd(end: () => unknown): void {
    this.#ended.push(end);
  }

  /** What a gateway does for hosts; counts what is stored of files. */
  keep(maxHostBytes = 1_000_000): { put: number; lacking: number; objects: string[] } {
    const { fleet, keys } = this;
    const counts = { put: 0, lacking: 0, objects: [] as string[] };
    const counted: FleetStore = {
      ...fleet,
      files: {
        ...fleet.files,
        put: (host, objects, most) => {
          counts.put++;
          counts.objects.push(...objects.map(({ id }) => id));
          return fleet.files.put(host, objects, most);
        },
        lacking: (host, ids) => {
          counts.lacking++;
          return fleet.files.lacking(host, ids);
        },
      },
    };
    const bus = this.broker.connect();
    const keeper = startKeeper({ bus, store: fleet });
    const serving = [
      serveFiles({ bus, store: counted, maxHostBytes }),
      serveMoves({ bus, store: fleet, keys, clock: nodeClock, log: silentLog }),
    ];
    this.onEnd(() => bus.close());
    this.onEnd(keeper.close);
    for (const one of serving) this.onEnd(() => one.end());
    return counts;
  }

  async member(options: MemberOptions = {}): Promise<MemberHost> {
    const { name = 'one', prepare = () => {}, limits = {}, epochs, folders = ['.'] } = options;
    const id = await enrolHost(this.database, name);
    const bus = this.broker.connect();
    const logged: string[] = [];
    const log: Log = { write: (_level, event) => void logged.push(event) };
    let shipper: Shipper | undefined;
    let files: FileShipper | undefined;
    let store: Store | undefined;
    let workspaces: Workspaces | undefined;
    const host = new TestHost({
      workspaces: (folder) => {
        workspaces = workspacesIn(folder);
        return workspaces;
      },
      store: (own) => {
        void shipper?.close();
        store = own;
        shipper = startShipper({
          host: id,
          feed: own.feed(),
          bus,
          clock: nodeClock,
          limits: { answer: 2_000, retry: 10 },
          onStored: ({ documents }) => files?.stored(documents),
          ...(epochs && { epochs }),
        });
        return notifyingStore(own, () => shipper?.notify());
      },
    });
    const paths = folders.map((folder) => join(host.workspace, folder));
    for (const path of paths) mkdirSync(path, { recursive: true });
    prepare(host.workspace);
    await host.start();
    const its = () => {
      if (!workspaces || !store) throw new Error('the host has not started');
      return { workspaces, store };
    };
    const startFiles = () =>
      startFileShipper({
        host: id,
        bus,
        clock: nodeClock,
        objects: its().workspaces.objects,
        workspacesOf: () => paths.map((path) => its().workspaces.idOf(path)),
        log,
        limits: { retry: 10, ...limits },
      });
    const shipping = startFiles();
    files = shipping;
    const client = await host.client();
    const workingDirectories = paths.map((path) => pathToFileURL(path).href);
    const { session, chat } = await host.session(client, { workingDirectories });
    await client.subscribe(chat);
    this.onEnd(() => host.dispose());
    this.onEnd(() => bus.close());
    this.onEnd(() => shipper?.close());
    this.onEnd(() => shipping.close());
    return {
      id,
      host,
      client,
      session,
      chat,
      files: shipping,
      logged,
      store: () => its().store,
      workspaces: () => its().workspaces,
      startFiles,
      shipped: async () => shipper?.shipped(),
      run: async (turnId, script) => {
        await turn(client, chat, script, turnId);
        const isStored = async () =>
          (await this.records(session)).some(
            (json) => json.startsWith(`{"turnId":"${turnId}"`) && json.includes('"end"'),
          );
        await expect.poll(isStored).toBe(true);
        await shipper?.shipped();
        await shipping.shipped();
      },
    };
  }

  /** Of the turns of a session, in the order of their ids. */
  async records(session: string): Promise<readonly string[]> {
    return (await this.fleet.sessions.documents(session)).filter((json) => json.startsWith('{"turnId"'));
  }
}
