import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChangesetState, changesetUri } from '@moorage/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { entriesOf, isFolder, unpackObject } from '../../packages/fleet/src/files/objects.js';
import { stateIn } from '../../packages/fleet/src/files/records.js';
import { turn } from '../support/actions.js';
import { type MemberHost, MemberWorld } from '../support/fleet/member-host.js';
import { openPglite } from '../support/fleet/pglite.js';
import { commitAll } from '../support/repository.js';

const SECRET = 'hunter2-only-here';
const world = new MemberWorld(openPglite());
const { database } = world;
beforeAll(() => database.query('select 1'), 180_000); // starting it takes most of the time
afterAll(() => database.close());
beforeEach(() => world.begin());
afterEach(() => world.end());

/** The files of a state, from what the fleet has alone: paths and texts. */
async function filesOf(host: string, state: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = async (id: string, prefix: string): Promise<void> => {
    const [kept] = await world.fleet.files.get(host, [id]);
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

async function lastState({ session }: MemberHost): Promise<string> {
  const states = (await world.records(session)).map((json) => stateIn(json));
  return states.at(-1) ?? '';
}

it('has in the fleet all files as they are after each turn, each content once, and none that is ignored', async () => {
  const counts = world.keep();
  const one = await world.member({
    prepare: (folder) => {
      mkdirSync(join(folder, 'src/deep'), { recursive: true });
      for (let file = 0; file < 30; file++) writeFileSync(join(folder, `src/deep/${file}.txt`), `file ${file}\n`);
      writeFileSync(join(folder, 'src/same.txt'), 'file 1\n');
      writeFileSync(join(folder, '.gitignore'), '.env\n');
      writeFileSync(join(folder, '.env'), `PASSWORD=${SECRET}\n`);
      commitAll(folder);
      writeFileSync(join(folder, 'not committed.txt'), 'mine\n');
    },
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

  // The session shows that a turn has changed the ignored file, with its content. That stays on the host.
  await one.run('t3', '/auto on\n/run echo MORE=1 >> .env');
  const uri = changesetUri(one.session, { kind: 'elsewhere' });
  await expect.poll(async () => (await one.client.subscribe<ChangesetState>(uri)).files).toHaveLength(1);
  const { files: changed } = await one.client.subscribe<ChangesetState>(uri);
  const side = changed[0]?.edit.before?.content.uri ?? '';
  expect((await one.client.request('resourceRead', { channel: 'ahp-root://', uri: side })).data).toContain(SECRET);
  await one.shipped();

  // Nothing of the ignored file is in any table, in any form.
  const all = await database.query<{ id: string }>('select id from file_object');
  for (const { id } of all) {
    const [kept] = await world.fleet.files.get(one.id, [id]);
    const object = kept && (await unpackObject(kept));
    expect(Buffer.from(object?.content ?? []).toString()).not.toContain(SECRET);
  }
  const others = await database.query<{ text: string }>(
    'select json as text from document union all select envelopes from log union all select json from channel',
  );
  for (const { text } of others) expect(text ?? '').not.toContain(SECRET);
});

it('finds out at the start what is not shipped yet, and asks little when nothing is', async () => {
  const one = await world.member({ prepare: (folder) => writeFileSync(join(folder, 'a.txt'), 'a\n') });
  await turn(one.client, one.chat, '/auto on\n/write b.txt b', 't1'); // nobody keeps anything yet
  await one.files.close();
  const counts = world.keep();
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
  const counts = world.keep();
  const one = await world.member({
    prepare: (folder) => {
      writeFileSync(join(folder, 'large.bin'), randomBytes(9 * 1024 * 1024));
      writeFileSync(join(folder, 'small.txt'), 'small\n');
    },
    limits: { stateObjects: 20 },
  });
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
  const counts = world.keep(2_000);
  const one = await world.member({
    prepare: (folder) => writeFileSync(join(folder, 'noise.bin'), randomBytes(10_000)),
  });
  await turn(one.client, one.chat, '/auto on\n/write a.txt a', 't1');
  await expect.poll(() => one.logged).toContain('fleet.files-refused');
  expect(counts.put).toBeGreaterThan(0);
  expect(await database.query('select 1 from file_object')).toEqual([]);
});
