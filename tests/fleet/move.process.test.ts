import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Client, randomId, sessionUri, when } from '@moorage/client';
import { createPostgresFleetStore, type Database, openPostgres } from '@moorage/fleet';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { missingEngines } from '../support/fleet/engines.js';
import { Fleet, type FleetProcess } from '../support/fleet/fleet.js';
import { removeFolder } from '../support/remove-folder.js';
import { commitAll } from '../support/repository.js';

const WAIT = { timeout: 30_000, interval: 50 };

describe.skipIf(missingEngines().length > 0)('a session whose host is lost', () => {
  let fleet: Fleet;
  let gateway: FleetProcess;
  let database: Database;
  beforeAll(async () => {
    fleet = new Fleet();
    gateway = await fleet.start();
    database = openPostgres({ url: fleet.postgres.url, maxConnections: 2 });
  }, 120_000);
  afterAll(async () => {
    await database.close();
    await fleet.end();
  });

  const host = async (name: string, ...labels: string[]) =>
    fleet.host(name, '--enrol', await fleet.invitation(...labels.flatMap((label) => ['--label', label])));
  const clientOf = (of: FleetProcess) => vi.waitFor(() => fleet.client(gateway, `hosts/${of.ready.fleet}/`), WAIT);
  const sessionOn = async (client: Client, folder: string) => {
    const uri = sessionUri.format(randomId());
    await client.request('createSession', {
      channel: uri,
      provider: 'demo',
      workingDirectories: [pathToFileURL(folder).href],
    });
    const session = await client.session(uri);
    return { uri, session, chat: await client.chat(await when(session, ({ defaultChat }) => defaultChat)) };
  };

  it('goes on elsewhere: with its history, with the files as of its last turn, and with the next turn', async () => {
    const lost = await host('lost');
    const [spare] = await Promise.all([host('spare', 'gpu'), host('other')]);
    const folder = join(fleet.folder, 'work-lost');
    writeFileSync(join(folder, 'before.txt'), 'was there\n');
    writeFileSync(join(folder, '.gitignore'), '.env\n');
    writeFileSync(join(folder, '.env'), 'SECRET=1\n');
    commitAll(folder);
    const client = await clientOf(lost);
    const { uri, chat } = await sessionOn(client, folder);
    await (await chat.send('/title Moving house\n/auto on\n/write src/made.txt by the first turn\\n')).finished();
    await (await chat.send('/append src/made.txt and the second\\n\n/say Two turns are done')).finished();
    const history = JSON.stringify(chat.confirmed.turns);
    const files = createPostgresFleetStore(database).files;
    await vi.waitFor(async () => {
      const [record] = await database.query<{ json: string }>(
        "select json from document where collection = 'changes' and json like '%\"end\"%' order by key desc limit 1",
      );
      const { end } = JSON.parse(record?.json ?? '{}');
      expect(await files.lacking(lost.ready.fleet ?? '', [end.state])).toEqual([]);
    }, WAIT);
    await chat.send('/write src/unfinished.txt never\\n\n/stream 100000');
    await vi.waitFor(
      () => expect(JSON.stringify(chat.confirmed.activeTurn?.responseParts ?? []).length).toBeGreaterThan(2_000),
      WAIT,
    );
    const early = await fleet.moorage('take', 'Moving house', '--on', 'gpu');
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('the host lost is there and has the session')]);
    lost.stop('SIGKILL');
    await lost.exited;
    await Promise.all([removeFolder(fleet.dataDir('lost')), removeFolder(folder)]);

    await vi.waitFor(
      async () => expect((await fleet.moorage('ls')).out).toMatch(/^lost \(away\) .* Moving house/m),
      WAIT,
    );
    // What it changed can be reviewed meanwhile, from what the fleet has.
    const diff = await fleet.moorage('diff', 'Moving house');
    expect([diff.out, diff.code]).toEqual([expect.stringMatching(/\+by the first turn[\s\S]*and the second/), 0]);
    const reverted = await fleet.moorage('revert', 'Moving house', '--yes');
    expect([reverted.code, reverted.err]).toEqual([1, expect.stringContaining('it offers: nothing')]);
    // Two at once: one wins, and the other is told.
    const takers = await Promise.all(
      ['gpu', 'other'].map((where) => fleet.moorage('take', 'Moving house', '--on', where, '--json')),
    );
    const winner = takers.find(({ code }) => code === 0);
    expect([takers.map(({ code }) => code).sort(), takers.map(({ err }) => err)]).toEqual([[0, 1], expect.anything()]);
    const taken = JSON.parse(winner?.out ?? '{}');
    expect(taken).toMatchObject({ session: uri, files: 3, leftOut: 0 });
    expect(readFileSync(join(taken.folder, 'src/made.txt'), 'utf8')).toContain('and the second');
    expect(readFileSync(join(taken.folder, 'before.txt'), 'utf8')).toBe('was there\n');
    expect(['.env', 'src/unfinished.txt'].map((name) => existsSync(join(taken.folder, name)))).toEqual([false, false]);
    const owner = taken.host === spare.ready.fleet ? 'spare' : 'other';
    const unwanted = owner === 'spare' ? 'other' : 'spare';
    expect(existsSync(join(fleet.folder, `work-${unwanted}`, taken.folder.split('/').at(-1)))).toBe(false);

    const there = await fleet.client(gateway, taken.address.slice(1));
    const session = await there.session(uri);
    const same = await there.chat(chat.uri);
    expect(JSON.stringify(same.confirmed.turns.slice(0, 2))).toBe(history);
    await vi.waitFor(() => expect(same.confirmed.turns[2]).toMatchObject({ state: 'error' }), WAIT);
    expect(session.confirmed.workingDirectories).toEqual([pathToFileURL(realpathSync(taken.folder)).href]);
    await (await same.send('/auto on\n/append src/made.txt and the third\\n\n/say still here')).finished();
    expect(same.confirmed.turns[3]).toMatchObject({ state: 'complete' });
    expect(readFileSync(join(taken.folder, 'src/made.txt'), 'utf8')).toContain('and the third');

    const listed = await fleet.moorage('ls');
    expect(listed.out.match(/Moving house/g)).toHaveLength(1);
    expect(listed.out).toMatch(new RegExp(`^${owner} .* Moving house`, 'm'));
    // What the new host does is kept, too, in its epoch.
    const store = createPostgresFleetStore(database);
    await vi.waitFor(async () => {
      const kept = await store.channels.read(chat.uri);
      expect(kept).toMatchObject({ host: taken.host });
      expect(JSON.stringify(kept)).toContain('still here');
    }, WAIT);
    const again = await fleet.moorage('take', 'Moving house', '--on', owner);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining(`the session is on ${owner} already`)]);
  }, 180_000);

  it('is on the new host or not, when that is killed while it takes it', async () => {
    const [first, second] = [await host('dies'), await host('dies, too')];
    const folder = join(fleet.folder, 'work-dies');
    for (let file = 0; file < 300; file++) writeFileSync(join(folder, `${file}.txt`), `file ${file}\n`);
    const client = await clientOf(first);
    const { uri, chat } = await sessionOn(client, folder);
    await (await chat.send('/title Half way\n/auto on\n/write made.txt one\\n')).finished();
    await vi.waitFor(async () => expect((await fleet.moorage('log', 'Half way')).out).toContain('made.txt'), WAIT);
    const history = JSON.stringify(chat.confirmed.turns);
    await vi.waitFor(async () => {
      const rows = await database.query('select 1 from file_object where host = $1', [first.ready.fleet ?? '']);
      expect(rows.length).toBeGreaterThan(300);
    }, WAIT);
    first.stop('SIGKILL');
    await first.exited;
    await vi.waitFor(async () => expect((await fleet.moorage('ls')).out).toMatch(/^dies \(away\) .* Half way/m), WAIT);
    const target = join(fleet.folder, 'work-dies, too', 'there');
    const taking = fleet.moorage('take', 'Half way', '--on', 'dies, too', '--folder', target);
    await vi.waitFor(() => expect(existsSync(target)).toBe(true), { ...WAIT, interval: 1 });
    second.stop('SIGKILL');
    await taking;
    const again = await fleet.host('dies, too');
    const owner = async () => (await createPostgresFleetStore(database).sessions.owner(uri))?.host;
    if ((await owner()) === first.ready.fleet) {
      const other = join(fleet.folder, 'work-dies, too', 'anew');
      const answer = () => fleet.moorage('take', 'Half way', '--on', 'dies, too', '--folder', other);
      await vi.waitFor(async () => expect((await answer()).code).toBe(0), WAIT);
    }
    const there = await clientOf(again);
    const same = await vi.waitFor(() => there.chat(chat.uri), WAIT);
    expect(JSON.stringify(same.confirmed.turns)).toBe(history);
    const [directory] = (await there.session(uri)).confirmed.workingDirectories ?? [];
    expect(readFileSync(join(fileURLToPath(directory ?? ''), '299.txt'), 'utf8')).toBe('file 299\n');
  }, 180_000);

  it('is given up by its host when that comes back; what only that host had becomes a session of its own', async () => {
    const first = await host('cut-off');
    const second = await host('stand-in');
    const folder = join(fleet.folder, 'work-cut-off');
    const client = await clientOf(first);
    const { uri, chat } = await sessionOn(client, folder);
    await (await chat.send('/title Torn\n/auto on\n/write a.txt one\\n')).finished();
    await vi.waitFor(async () => expect((await fleet.moorage('log', 'Torn')).out).toContain('a.txt'), WAIT);
    await first.stop();
    // It goes on by itself, where nobody of the fleet sees it.
    const alone = await fleet.run(
      'serve',
      '--data-dir',
      fleet.dataDir('cut-off'),
      '--root',
      folder,
      '--port',
      '0',
      '--json',
    );
    const own = await fleet.client(alone, '', alone.ready.token);
    await (await (await own.chat(chat.uri)).send('/say nobody heard this')).finished();
    await alone.stop();
    await vi.waitFor(async () => expect((await fleet.moorage('ls')).out).toMatch(/^cut-off \(away\) .* Torn/m), WAIT);
    const target = join(fleet.folder, 'work-stand-in', 'torn');
    const taken = await fleet.moorage('take', 'Torn', '--on', 'stand-in', '--folder', target);
    expect([taken.code, taken.err]).toEqual([0, expect.stringContaining(target)]);
    const there = await fleet.client(gateway, `hosts/${second.ready.fleet}/`);
    const same = await there.chat(chat.uri);
    await (await same.send('/say on the other one')).finished();

    const back = await fleet.host('cut-off');
    await vi.waitFor(async () => expect((await fleet.moorage('ls')).out).toContain('(on cut-off, unsynced)'), WAIT);
    const listed = (await fleet.moorage('ls')).out;
    expect(listed).toMatch(/^cut-off .* Torn \(on cut-off, unsynced\)/m);
    expect(listed).toMatch(/^stand-in .* Torn( \*)?$/m);
    const tail = await fleet.moorage('log', 'Torn (on cut-off');
    expect(tail.out).toContain('nobody heard this');
    const log = await fleet.moorage('log', uri.slice(uri.lastIndexOf('/') + 1));
    expect(log.out).toContain('on the other one');
    expect(log.out).not.toContain('nobody heard this');
    // It says so once.
    await back.stop();
    const anew = await fleet.host('cut-off');
    await clientOf(anew);
    const said = async () => (await fleet.moorage('ls')).out.match(/Torn \(on cut-off, unsynced\)/g);
    await vi.waitFor(async () => expect(await said()).toHaveLength(1), WAIT);
  }, 180_000);

  it('is taken from a host that pauses its agents only once it has surely done so', async () => {
    const pausing = ['--on-isolation', 'pause'];
    const first = await fleet.host('careful', '--enrol', await fleet.invitation(), ...pausing);
    await host('patient');
    const folder = join(fleet.folder, 'work-careful');
    const { chat } = await sessionOn(await clientOf(first), folder);
    await (await chat.send('/title Careful\n/auto on\n/write a.txt one\\n')).finished();
    const leased = async () => {
      const { moves } = createPostgresFleetStore(database);
      return moves.leasedFor(first.ready.fleet ?? '');
    };
    expect(await leased()).toBeGreaterThan(0);
    first.stop('SIGKILL');
    await first.exited;
    await vi.waitFor(
      async () => expect((await fleet.moorage('ls')).out).toMatch(/^careful \(away\) .* Careful/m),
      WAIT,
    );
    expect(await leased()).toBeGreaterThan(0);
    const target = join(fleet.folder, 'work-patient', 'careful');
    const taken = await fleet.moorage('take', 'Careful', '--on', 'patient', '--folder', target);
    expect([taken.code, taken.err]).toEqual([0, expect.stringContaining(target)]);
    expect(await leased()).toBe(0);
    // Back again it gives the session up, and then its agents work.
    const back = await fleet.host('careful', ...pausing);
    await vi.waitFor(async () => expect((await fleet.moorage('fleet', 'ls')).out).toMatch(/careful\s+here/), WAIT);
    const again = await sessionOn(await clientOf(back), folder);
    await (await again.chat.send('/say at work again')).finished();
    expect((await fleet.moorage('ls')).out).toMatch(/^patient .* Careful/m);
    expect(await leased()).toBeGreaterThan(0);
    await back.stop();
    expect(await leased()).toBe(0);
  }, 180_000);
});
