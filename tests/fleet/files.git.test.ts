import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createPostgresFleetStore,
  type Database,
  type FileShipper,
  FLEET_TABLES,
  type FleetStore,
  migrate,
  notifyingStore,
  type Shipper,
  serveFiles,
  startFileShipper,
  startKeeper,
  startShipper,
} from '@moorage/fleet';
import { createMemoryBroker, type Log, type MemoryBroker, nodeClock, type Store, type Workspaces } from '@moorage/host';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { entriesOf, isFolder, unpackObject } from '../../packages/fleet/src/files/objects.js';
import { stateIn } from '../../packages/fleet/src/files/records.js';
import { turn } from '../support/actions.js';
import { enrolHost } from '../support/fleet/describe-fleet-store.js';
import { openPglite } from '../support/fleet/pglite.js';
import { commitAll } from '../support/repository.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

const SECRET = 'hunter2-only-here';
const database: Database = openPglite();
afterAll(() => database.close());
let fleet: FleetStore;
let broker: MemoryBroker;
let ended: (() => unknown)[] = [];
beforeEach(async () => {
  await database.execute('drop schema public cascade; create schema public');
  await migrate(database, FLEET_TABLES);
  fleet = createPostgresFleetStore(database);
  broker = createMemoryBroker();
  ended = [];
});
afterEach(async () => {
  for (const end of ended.reverse()) await end();
});

interface Member {
  readonly id: string;
  readonly host: TestHost;
  readonly client: WireClient;
  readonly session: string;
  readonly chat: string;
  readonly files: FileShipper;
  readonly logged: string[];
  store(): Store;
  startFiles(): FileShipper;
  /** Resolves once the fleet has the log. */
  shipped(): Promise<void>;
  /** Runs a turn, and waits until the fleet has it with its files. */
  run(turnId: string, script: string): Promise<void>;
}

function keep(maxHostBytes = 1_000_000): { put: number; lacking: number; objects: string[] } {
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
  const bus = broker.connect();
  const keeper = startKeeper({ bus, store: fleet });
  const serving = serveFiles({ bus, store: counted, maxHostBytes });
  ended.push(
    () => bus.close(),
    keeper.close,
    () => serving.end(),
  );
  return counts;
}

async function member(
  prepare: (folder: string) => void,
  limits: { stateObjects?: number; stateBytes?: number } = {},
): Promise<Member> {
  const id = await enrolHost(database, 'one');
  const bus = broker.connect();
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
      store = own;
      shipper = startShipper({
        host: id,
        feed: own.feed(),
        bus,
        clock: nodeClock,
        limits: { answer: 2_000, retry: 10 },
        onStored: ({ documents }) => files?.stored(documents),
      });
      return notifyingStore(own, () => shipper?.notify());
    },
  });
  prepare(host.workspace);
  await host.start();
  if (!workspaces || !store) throw new Error('the host has not started');
  const { objects, idOf } = workspaces;
  const startFiles = () =>
    startFileShipper({
      host: id,
      bus,
      clock: nodeClock,
      objects,
      workspacesOf: () => [idOf(host.workspace)],
      log,
      limits: { retry: 10, ...limits },
    });
  const shipping = startFiles();
  files = shipping;
  const its = store;
  const client = await host.client();
  const { session, chat } = await host.session(client);
  await client.subscribe(chat);
  ended.push(
    () => host.dispose(),
    () => bus.close(),
    () => shipper?.close(),
    () => shipping.close(),
  );
  return {
    id,
    host,
    client,
    session,
    chat,
    files: shipping,
    logged,
    store: () => its,
    startFiles,
    shipped: async () => shipper?.shipped(),
    run: async (turnId, script) => {
      await turn(client, chat, script, turnId);
      await expect
        .poll(async () =>
          (await records(session)).some((json) => json.startsWith(`{"turnId":"${turnId}"`) && json.includes('"end"')),
        )
        .toBe(true);
      await shipper?.shipped();
      await shipping.shipped();
    },
  };
}

async function records(session: string): Promise<readonly string[]> {
  return (await fleet.sessions.documents(session)).filter((json) => json.startsWith('{"turnId"'));
}

/** The files of a state, from what the fleet has alone: paths and texts. */
async function filesOf(host: string, state: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = async (id: string, prefix: string): Promise<void> => {
    const [kept] = await fleet.files.get(host, [id]);
    if (!kept) throw new Error(`${prefix || 'the state'} is missing`);
    const object = await unpackObject(kept);
    if (kept.type === 'blob') {
      found[prefix] = object ? Buffer.from(object.content).toString() : `(${kept.notKept?.reason})`;
      return;
    }
    for (const entry of entriesOf(object?.content ?? new Uint8Array(), id.length))
      await walk(entry.id, `${prefix}${entry.name}${isFolder(entry) ? '/' : ''}`);
  };
  await walk(state, '');
  return found;
}

async function lastState({ session }: Member): Promise<string> {
  const states = (await records(session)).map((json) => stateIn(json));
  return states.at(-1) ?? '';
}

it('has in the fleet all files as they are after each turn, each content once, and none that is ignored', async () => {
  const counts = keep();
  const one = await member((folder) => {
    mkdirSync(join(folder, 'src/deep'), { recursive: true });
    for (let file = 0; file < 30; file++) writeFileSync(join(folder, `src/deep/${file}.txt`), `file ${file}\n`);
    writeFileSync(join(folder, 'src/same.txt'), 'file 1\n');
    writeFileSync(join(folder, '.gitignore'), '.env\n');
    writeFileSync(join(folder, '.env'), `PASSWORD=${SECRET}\n`);
    commitAll(folder);
    writeFileSync(join(folder, 'not committed.txt'), 'mine\n');
  });
  await one.run('t1', '/auto on\n/write made.txt made by a turn\n/append src/same.txt and more');
  const files = await filesOf(one.id, await lastState(one));
  expect(Object.keys(files)).toHaveLength(34);
  expect(files).toMatchObject({
    'made.txt': expect.stringContaining('made by a turn'),
    'not committed.txt': 'mine\n',
    'src/deep/29.txt': 'file 29\n',
  });
  expect(files['.env']).toBeUndefined();
  const first = counts.objects.length;
  expect(new Set(counts.objects).size).toBe(first);

  counts.objects = [];
  await one.run('t2', '/auto on\n/write src/deep/new.txt another one');
  // The new content, and the three folders that lead to it.
  expect(counts.objects).toHaveLength(4);
  expect((await filesOf(one.id, await lastState(one)))['src/deep/new.txt']).toContain('another one');

  // Nothing of the ignored file is in any table, in any form.
  const all = await database.query<{ id: string }>('select id from file_object');
  for (const { id } of all) {
    const [kept] = await fleet.files.get(one.id, [id]);
    const object = kept && (await unpackObject(kept));
    expect(Buffer.from(object?.content ?? []).toString()).not.toContain(SECRET);
  }
  const others = await database.query<{ text: string }>(
    'select json as text from document union all select envelopes from log union all select json from channel',
  );
  for (const { text } of others) expect(text ?? '').not.toContain(SECRET);
});

it('finds out at the start what is not shipped yet, and asks little when nothing is', async () => {
  const one = await member((folder) => writeFileSync(join(folder, 'a.txt'), 'a\n'));
  await turn(one.client, one.chat, '/auto on\n/write b.txt b', 't1'); // nobody keeps anything yet
  await one.files.close();
  const counts = keep();
  const again = async () => {
    const started = one.startFiles();
    await started.compare(one.store());
    await started.shipped();
    await started.close();
  };
  await again();
  await one.shipped();
  expect(await filesOf(one.id, await lastState(one))).toEqual({
    'a.txt': 'a\n',
    'b.txt': expect.stringContaining('b'),
  });
  expect(counts.put).toBeGreaterThan(0);
  counts.put = 0;
  counts.lacking = 0;
  await again();
  expect([counts.put, counts.lacking]).toEqual([0, 1]);
});

it('leaves out a file that is too large, and a folder that has too much, and says so', async () => {
  const counts = keep();
  const one = await member(
    (folder) => {
      writeFileSync(join(folder, 'large.bin'), randomBytes(9 * 1024 * 1024));
      writeFileSync(join(folder, 'small.txt'), 'small\n');
    },
    { stateObjects: 20 },
  );
  await one.run('t1', '/auto on\n/write a.txt a');
  expect(await filesOf(one.id, await lastState(one))).toMatchObject({
    'large.bin': '(tooLarge)',
    'small.txt': 'small\n',
  });
  counts.objects = [];
  for (let file = 0; file < 30; file++) writeFileSync(join(one.host.workspace, `many ${file}.txt`), `${file}\n`);
  await one.run('t2', '/auto on\n/write b.txt b');
  expect(one.logged).toContain('fleet.files-too-many');
  expect(counts.objects).toEqual([]);
});

it('keeps no more of a host than it may, and nothing where that is nothing', async () => {
  const counts = keep(2_000);
  const one = await member((folder) => writeFileSync(join(folder, 'noise.bin'), randomBytes(10_000)));
  await turn(one.client, one.chat, '/auto on\n/write a.txt a', 't1');
  await expect.poll(() => one.logged).toContain('fleet.files-refused');
  expect(counts.put).toBeGreaterThan(0);
  expect(await database.query('select 1 from file_object')).toEqual([]);
});
