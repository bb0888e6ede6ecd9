import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Adopter, type AskGateway, askGateway, startAdopter, TakenFile, takingSessions } from '@moorage/fleet';
import { type Host, nodeClock, nodeFolders, silentLog } from '@moorage/host';
import { type ChangesetState, type ChatState, changesetUri, type SessionState } from '@moorage/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkOut } from '../../packages/fleet/src/move/checkout.js';
import { readTicket, type Ticket, writeTicket } from '../../packages/fleet/src/move/tickets.js';
import { turn } from '../support/actions.js';
import { type MemberHost, MemberWorld } from '../support/fleet/member-host.js';
import { openPglite } from '../support/fleet/pglite.js';

const world = new MemberWorld(openPglite());
beforeAll(() => world.database.query('select 1'), 180_000); // starting it takes most of the time
afterAll(() => world.database.close());
beforeEach(() => world.begin());
afterEach(() => world.end());

/** A host that may take sessions; `ask` and `moved` may fail as the test wants. */
class Taker {
  readonly member: MemberHost;
  ask: (own: AskGateway) => AskGateway = (own) => own;
  bring: (own: Host['moved']['bring']) => Host['moved']['bring'] = (own) => own;
  adopter!: Adopter;
  taken!: TakenFile;

  constructor(member: MemberHost) {
    this.member = member;
  }

  start(): void {
    const { id, host } = this.member;
    const bus = world.broker.connect();
    this.taken = new TakenFile(host.folder);
    const { moved } = host.host;
    this.adopter = startAdopter({
      host: id,
      bus,
      ask: this.ask(askGateway(bus, id)),
      clock: nodeClock,
      log: silentLog,
      taken: this.taken,
      moved: { has: (uri) => moved.has(uri), bring: this.bring((session) => moved.bring(session)) },
      workspaces: this.member.workspaces(),
      folders: nodeFolders([host.workspace]),
    });
    world.onEnd(() => bus.close());
  }

  /** As if it had been killed. */
  async restart(): Promise<void> {
    this.adopter.close();
    await this.member.host.stop();
    await this.member.host.start();
    this.ask = (own) => own;
    this.bring = (own) => own;
    this.start();
    await this.adopter.resumed;
  }

  async take(of: MemberHost, folder?: string, ticket: Partial<Ticket> = {}): Promise<Record<string, unknown>> {
    const { session } = of;
    const owner = await world.fleet.sessions.owner(session);
    const { host: from = '', epoch = 0 } = owner ?? {};
    const all = { session, to: this.member.id, from, epoch, until: Date.now() + 60_000, ...ticket };
    const body = JSON.stringify({ ticket: writeTicket(world.keys, all), session, from, epoch, folder });
    const bus = world.broker.connect();
    const answer = await bus.request(`ahp.h.${this.member.id}.take`, new TextEncoder().encode(body), 30_000);
    await bus.close();
    return JSON.parse(new TextDecoder().decode(answer));
  }

  async history(of: MemberHost): Promise<string> {
    const client = await this.member.host.client();
    return JSON.stringify((await client.subscribe<ChatState>(of.chat)).turns);
  }
}

async function lostHost(): Promise<{ of: MemberHost; history: string }> {
  const of = await world.member({
    name: 'lost',
    prepare: (folder) => {
      writeFileSync(join(folder, 'plain.txt'), 'plain\n');
      writeFileSync(join(folder, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
      symlinkSync('plain.txt', join(folder, 'link'));
      mkdirSync(join(folder, 'deep/er'), { recursive: true });
      writeFileSync(join(folder, 'deep/er/ünicode.txt'), 'ü\n');
    },
  });
  await of.run('t1', '/auto on\n/write made.txt by a turn\\n');
  await of.run('t2', '/auto on\n/append made.txt twice\\n');
  const history = JSON.stringify((await of.client.subscribe<ChatState>(of.chat)).turns);
  await of.host.stop();
  return { of, history };
}

async function taker(): Promise<Taker> {
  const one = new Taker(await world.member({ name: 'taker', epochs: () => one?.taken?.epochs() ?? {} }));
  one.start();
  return one;
}

describe('taking a session', () => {
  it('brings its history, its files and its changes; and what is in the way is never replaced', async () => {
    world.keep();
    const { of, history } = await lostHost();
    const one = await taker();
    const { workspace } = one.member.host;
    writeFileSync(join(workspace, 'file'), '');
    expect(await one.take(of, workspace)).toEqual({ refused: expect.stringContaining('is not empty') });
    expect(await one.take(of, join(workspace, 'file'))).toEqual({
      refused: expect.stringContaining('is not a folder'),
    });
    expect(await one.take(of, '/tmp/elsewhere')).toEqual({ refused: expect.stringContaining('outside') });
    expect(await one.take(of, 'relative')).toEqual({ refused: expect.stringContaining('begins with /') });
    expect(readdirSync(workspace)).toEqual(['file']);
    expect(await world.fleet.sessions.owner(of.session)).toMatchObject({ host: of.id, epoch: 1 });

    const folder = join(workspace, 'here');
    await expect(one.take(of, folder)).resolves.toEqual({ folder, files: 5, leftOut: 0 });
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toContain('twice');
    expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('plain\n');
    expect(readFileSync(join(folder, 'deep/er/ünicode.txt'), 'utf8')).toBe('ü\n');
    expect(await one.history(of)).toBe(history);
    const client = await one.member.host.client();
    const session = await client.subscribe<SessionState>(of.session);
    expect(session).toMatchObject({ lifecycle: 'ready', workingDirectories: [pathToFileURL(folder).href] });
    // The changes of the turns before are there, with both sides.
    const uri = changesetUri(of.session, { kind: 'session' });
    await expect.poll(async () => (await client.subscribe<ChangesetState>(uri)).status).toBe('ready');
    const changes = await client.subscribe<ChangesetState>(uri);
    const [file] = changes.files;
    expect(changes.files.map(({ edit }) => edit.after?.uri.split('/').at(-1))).toEqual(['made.txt']);
    const { data } = await client.request('resourceRead', {
      channel: 'ahp-root://',
      uri: file?.edit.after?.content.uri ?? '',
    });
    expect(data).toContain('twice');
    await client.subscribe(of.chat);
    await turn(client, of.chat, '/auto on\n/append made.txt a third time\\n', 't3');
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toContain('a third time');
    await one.member.shipped();
    expect(await world.fleet.channels.read(of.chat)).toMatchObject({ host: one.member.id });
  });

  it('brings a history of several pieces, whichever gateway gives each of them', async () => {
    world.keep();
    world.keep();
    const of = await world.member({ name: 'long' });
    for (const id of ['t1', 't2']) await of.run(id, `/say ${'ein längeres Wörtchen '.repeat(15_000)}`);
    const history = JSON.stringify((await of.client.subscribe<ChatState>(of.chat)).turns);
    expect(history.length).toBeGreaterThan(world.broker.connect().maxBytes);
    await of.host.stop();
    const one = await taker();
    expect(await one.take(of)).toMatchObject({ leftOut: 0 });
    expect(await one.history(of)).toBe(history);
  });

  it('is for whom a person has allowed it, for a while, once', async () => {
    world.keep();
    const { of } = await lostHost();
    const [one, two] = [await taker(), await taker()];
    expect(await one.take(of, undefined, { to: 'another' })).toEqual({
      refused: expect.stringContaining('nobody has allowed'),
    });
    expect(await one.take(of, undefined, { until: Date.now() - 1 })).toEqual({
      refused: expect.stringContaining('nobody has allowed'),
    });
    const forged = writeTicket(
      { ...world.keys, account: 'guessed' },
      { session: of.session, to: 'x', from: '', epoch: 1, until: 9e15 },
    );
    expect(readTicket(world.keys, forged, 'x', 0)).toBeUndefined();
    const both = await Promise.all([one.take(of), two.take(of)]);
    expect(both.filter((answer) => 'files' in answer)).toHaveLength(1);
    expect(both.find((answer) => 'refused' in answer)).toEqual({
      refused: expect.stringMatching(/another host has taken|nobody has allowed/),
    });
    const loser = 'refused' in (both[0] ?? {}) ? one : two;
    expect(loser.member.host.host.moved.has(of.session)).toBe(false);
    expect(readdirSync(loser.member.host.workspace)).toEqual([]);
    expect([...loser.taken.all]).toEqual([]);
  });

  it('waits once for the lease of its host, and is refused if that is renewed meanwhile', async () => {
    world.keep();
    const { of } = await lostHost();
    const one = await taker();
    const { moves } = world.fleet;
    const bus = world.broker.connect();
    world.onEnd(() => bus.close());
    const hosts = new Map([of.id, one.member.id].map((id) => [id, { name: id, revokedAt: undefined }]));
    const takeWhen = (waited: () => Promise<unknown>) =>
      takingSessions({
        bus,
        store: world.fleet,
        keys: world.keys,
        clock: { now: Date.now, setTimeout: (run) => void waited().then(run) },
        presence: { has: (id) => id === one.member.id, isComplete: true },
        hosts: () => hosts,
      })({ channel: of.session, host: one.member.id });
    await moves.lease(of.id, 60_000);
    await expect(takeWhen(() => moves.lease(of.id, 60_000))).rejects.toThrow('in touch with another gateway');
    expect(await world.fleet.sessions.owner(of.session)).toMatchObject({ host: of.id, epoch: 1 });
    await expect(takeWhen(() => moves.lease(of.id, 0))).resolves.toMatchObject({ files: 5 });
  });

  it('of a session with several folders brings the files of each, and what was changed in each', async () => {
    world.keep();
    const of = await world.member({
      name: 'lost',
      folders: ['api', 'web'],
      prepare: (folder) => {
        writeFileSync(join(folder, 'api/a.txt'), 'of the api\n');
        writeFileSync(join(folder, 'web/b.txt'), 'of the web\n');
      },
    });
    const web = join(of.host.workspace, 'web');
    await of.run('t1', `/auto on\n/append a.txt one\\n\n/append ${join(web, 'b.txt')} two\\n`);
    await of.host.stop();
    const one = await taker();
    const folder = join(one.member.host.workspace, 'here');
    // Where the files of one cannot be put, nothing is.
    mkdirSync(`${folder}-2`);
    writeFileSync(join(`${folder}-2`, 'mine.txt'), '');
    expect(await one.take(of, folder)).toEqual({ refused: expect.stringContaining('is not empty') });
    expect(readdirSync(one.member.host.workspace)).toEqual(['here-2']);
    rmSync(join(`${folder}-2`, 'mine.txt'));
    await expect(one.take(of, folder)).resolves.toEqual({ folder, others: [`${folder}-2`], files: 2, leftOut: 0 });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('of the api\none\n');
    expect(readFileSync(join(`${folder}-2`, 'b.txt'), 'utf8')).toBe('of the web\ntwo\n');
    const client = await one.member.host.client();
    const { workingDirectories } = await client.subscribe<SessionState>(of.session);
    expect(workingDirectories).toEqual([folder, `${folder}-2`].map((path) => pathToFileURL(path).href));
    const uri = changesetUri(of.session, { kind: 'session' });
    const changed = async () =>
      (await client.subscribe<ChangesetState>(uri)).files.map(({ edit }) =>
        fileURLToPath(edit.after?.uri ?? 'file:///'),
      );
    await expect.poll(changed).toEqual([join(folder, 'a.txt'), join(`${folder}-2`, 'b.txt')]);
  });

  const lostAnswer = (step: 'before' | 'after') => (own: AskGateway) => ({
    ...own,
    ask: async (request: Parameters<AskGateway['ask']>[0], takes?: boolean) => {
      if (request.ask !== 'take') return own.ask(request, takes);
      if (step === 'after') await own.ask(request, takes);
      throw new Error('killed (says the test)');
    },
  });

  it('a host that dies before the fleet has decided has taken nothing', async () => {
    world.keep();
    const { of } = await lostHost();
    const one = await taker();
    one.adopter.close();
    one.ask = lostAnswer('before');
    one.start();
    expect(await one.take(of)).toEqual({ refused: expect.stringContaining('killed') });
    await one.restart();
    expect(one.member.host.host.moved.has(of.session)).toBe(false);
    expect([...one.taken.all]).toEqual([]);
    expect(await world.fleet.sessions.owner(of.session)).toEqual({ host: of.id, epoch: 1 });
    expect(await one.take(of)).toMatchObject({ files: 5 });
  });

  it.each([
    ['after the fleet has decided', (one: Taker) => (one.ask = lostAnswer('after'))],
    [
      'after the session was stored',
      (one: Taker) =>
        (one.bring = (own) => async (moved) => {
          await own(moved);
          throw new Error('killed (says the test)');
        }),
    ],
  ])('a host that dies %s has all of it once it starts again', async (_when, fail) => {
    world.keep();
    const { of, history } = await lostHost();
    const one = await taker();
    one.adopter.close();
    fail(one);
    one.start();
    expect(await one.take(of)).toEqual({ refused: expect.stringContaining('killed') });
    await one.restart();
    expect(await world.fleet.sessions.owner(of.session)).toEqual({ host: one.member.id, epoch: 2 });
    expect(await one.history(of)).toBe(history);
    expect([...one.taken.all]).toEqual([[of.session, { epoch: 2 }]]);
    const [folder] = readdirSync(one.member.host.workspace);
    expect(existsSync(join(one.member.host.workspace, folder ?? '', 'made.txt'))).toBe(true);
    await one.member.shipped();
    expect(await world.fleet.channels.read(of.chat)).toMatchObject({ host: one.member.id });
  });
});

it.each(['..', '.', '.git', '.GIT', 'a/b', ''])('does not write a file called "%s"', async (name) => {
  const id = 'a'.repeat(40);
  const content = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(id, 'hex')]);
  const read = async (of: string) =>
    of === id ? ({ type: 'blob', content: Buffer.from('x') } as const) : ({ type: 'tree', content } as const);
  await expect(checkOut('/nowhere', 'b'.repeat(40), read)).rejects.toThrow('a name that no file can have');
});
