import { createHash } from 'node:crypto';
import {
  createPostgresFleetStore,
  createRegistry,
  type Database,
  FLEET_TABLES,
  type FleetStore,
  type HostAppend,
  type KeptObject,
  migrate,
} from '@moorage/fleet';
import { createMemoryStore, type StoreFeed, type StoreWithFeed } from '@moorage/host';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { packObject } from '../../../packages/fleet/src/files/objects.js';

/** The contract of FleetStore, on an empty database. */
export function describeFleetStore(name: string, open: () => Promise<Database>): void {
  describe(`${name} is a FleetStore`, () => {
    let database: Database;
    let fleet: FleetStore;
    let one: ShippingStore;
    let two: ShippingStore;
    beforeAll(async () => {
      database = await open();
      await migrate(database, FLEET_TABLES);
      fleet = createPostgresFleetStore(database);
    });
    afterAll(() => database.close());
    beforeEach(async () => {
      await database.execute('truncate host cascade; truncate session cascade');
      one = new ShippingStore(await enrolHost(database, 'one', ['gpu']));
      two = new ShippingStore(await enrolHost(database, 'two', []));
    });
    const ship = async (of: ShippingStore, append: HostAppend = of.next()) => {
      const [verdict] = await fleet.append([append]);
      if (verdict && 'position' in verdict) of.position = verdict.position;
      return verdict;
    };

    it('gives back what was shipped, as the host has it', async () => {
      one.create('a');
      one.say('a', 1, 2);
      one.say('a', 3);
      one.snapshot('a', 2);
      expect(await ship(one)).toEqual({ verdict: 'ok', position: one.feed.last });
      const uri = chatOf('a');
      expect(await fleet.channels.read(uri)).toEqual({ host: one.host, ...one.store.channels.read(uri) });
      for (let after = 0; after <= 4; after++) {
        const replayed = await fleet.channels.replay(one.host, [uri, 'ahp-chat:/unknown'], after);
        expect([...replayed]).toEqual([
          [uri, one.store.channels.replay(uri, after)],
          ['ahp-chat:/unknown', undefined],
        ]);
      }
    });

    it('stores several hosts in one transaction', async () => {
      one.create('a');
      two.create('b');
      const verdicts = await fleet.append([two.next(), one.next()]);
      expect(verdicts.map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
      const { sessions } = await fleet.sessions.page({ limit: 10 });
      expect(sessions.map(({ host }) => host).sort()).toEqual([one.host, two.host].sort());
    });

    it('knows what it has, and says where it stands when something is missing', async () => {
      one.create('a');
      const first = one.next();
      await ship(one, first);
      expect(await ship(one, first)).toEqual({ verdict: 'known', position: first.batch.upTo });
      one.say('a', 1);
      const skipped = one.feed.last;
      one.say('a', 2);
      const late = { ...one.next(), batch: one.feed.read(skipped, Infinity) };
      expect(await ship(one, late)).toEqual({ verdict: 'gap', position: first.batch.upTo });
      expect(await ship(one)).toMatchObject({ verdict: 'ok' });
      expect((await fleet.channels.replay(one.host, [chatOf('a')], 0)).get(chatOf('a'))).toBe(
        one.store.channels.replay(chatOf('a'), 0),
      );
    });

    it('refuses hosts that are not members, or no longer', async () => {
      one.create('a');
      expect(await fleet.append([{ ...one.next(), host: 'nobody' }])).toEqual([
        { verdict: 'refused', reason: 'unknown' },
      ]);
      await createRegistry(database).revokeHost(one.host);
      expect(await fleet.append([one.next()])).toEqual([{ verdict: 'refused', reason: 'unknown' }]);
    });

    it('lets a later feed of a host replace what it had, and the earlier one write no more', async () => {
      one.create('a');
      one.say('a', 1);
      await ship(one);
      one.say('a', 2);
      const earlier = one.next();
      one.feed.restart();
      one.position = one.feed.start;
      expect(await ship(one, { ...one.next(), batch: one.feed.read(one.feed.start, 1) })).toMatchObject({
        verdict: 'ok',
      });
      expect(await ship(one)).toMatchObject({ verdict: 'ok' });
      expect(await fleet.append([earlier])).toEqual([{ verdict: 'refused', reason: 'replaced' }]);
      const log = await fleet.channels.replay(one.host, [chatOf('a')], 0);
      expect(log.get(chatOf('a'))).toBe(one.store.channels.replay(chatOf('a'), 0));
    });

    it('keeps one owner of a session: others are fenced, and what else they ship is stored', async () => {
      one.create('a');
      await ship(one);
      two.create('a');
      two.create('b');
      expect(await ship(two)).toEqual({ verdict: 'fenced', position: two.feed.last, sessions: [sessionOf('a')] });
      expect(await fleet.sessions.owner(sessionOf('a'))).toEqual({ host: one.host, epoch: 1 });
      expect(await fleet.sessions.owner(sessionOf('b'))).toEqual({ host: two.host, epoch: 1 });
      expect(await fleet.channels.read(chatOf('b'))).toBeDefined();
      expect(await fleet.channels.read(chatOf('a'))).toMatchObject({ host: one.host });
    });

    it('gives a session to another host, once for each epoch; then nothing of the old owner is stored', async () => {
      one.create('a');
      one.say('a', 1);
      await ship(one);
      expect(await fleet.take(sessionOf('a'), two.host, 1)).toEqual({ epoch: 2, upTo: 1 });
      expect(await fleet.take(sessionOf('a'), two.host, 1)).toBe('changed');
      one.say('a', 2);
      expect(await ship(one)).toMatchObject({ verdict: 'fenced', sessions: [sessionOf('a')] });
      expect((await fleet.channels.read(chatOf('a')))?.tail).toBe(envelopeOf('a', 1));
      // Back again: only what is of the new epoch.
      expect(await fleet.take(sessionOf('a'), one.host, 2)).toMatchObject({ epoch: 3 });
      one.say('a', 3);
      expect(await ship(one)).toMatchObject({ verdict: 'fenced' });
      one.say('a', 4);
      expect(await ship(one, { ...one.next(), epochs: { [sessionOf('a')]: 3 } })).toMatchObject({ verdict: 'ok' });
      expect((await fleet.channels.read(chatOf('a')))?.tail).toBe(`${envelopeOf('a', 1)},${envelopeOf('a', 4)}`);
    });

    it('gives its contents to the new host, and says to the old one what it has lost', async () => {
      one.create('a');
      const put = (key: string, session: string) =>
        ({ collection: 'content', key, session, json: `"${key}"` }) as const;
      one.store.commit({ documents: ['x', 'y'].map((key) => put(key, sessionOf('a'))) });
      one.create('b');
      one.store.commit({ documents: [put('z', sessionOf('b'))] });
      one.say('a', 7);
      await ship(one);
      await fleet.take(sessionOf('a'), two.host, 1);
      expect(await fleet.sessions.document(two.host, 'content', 'x')).toBe('"x"');
      expect(await fleet.sessions.document(one.host, 'content', 'z')).toBe('"z"');
      const { moves } = fleet;
      expect((await moves.channels(sessionOf('a'))).map(({ uri }) => uri)).toEqual(
        [sessionOf('a'), chatOf('a')].sort(),
      );
      const first = await moves.documents(sessionOf('a'));
      expect(first.map(({ key }) => key)).toEqual(['x', 'y']);
      expect(await moves.documents(sessionOf('a'), first[0])).toEqual(first.slice(1));
      expect(await moves.documents(sessionOf('a'), first[1])).toEqual([]);
      expect(await moves.takenBy(sessionOf('a'), two.host)).toEqual({ from: one.host, epoch: 2, upTo: 7 });
      expect(await moves.takenBy(sessionOf('a'), one.host)).toBeUndefined();
      expect(await moves.takenFrom(one.host)).toEqual([{ session: sessionOf('a'), upTo: 7 }]);
      await moves.settled(one.host, sessionOf('a'));
      expect(await moves.takenFrom(one.host)).toEqual([]);
      await createRegistry(database).revokeHost(two.host);
      expect(await fleet.take(sessionOf('b'), two.host, 1)).toBe('changed');
    });

    it('gives nobody the sessions of a host that has a lease, and a host none that has lost some', async () => {
      one.create('a');
      one.create('b');
      await ship(one);
      const { moves } = fleet;
      expect(await moves.leasedFor(one.host)).toBe(0);
      expect(await moves.lease(one.host, 60_000)).toBe(true);
      expect(await moves.leasedFor(one.host)).toBeGreaterThan(50_000);
      expect(await moves.leasedFor(two.host)).toBe(0);
      expect(await fleet.take(sessionOf('a'), two.host, 1)).toBe('leased');
      expect(await fleet.sessions.owner(sessionOf('a'))).toEqual({ host: one.host, epoch: 1 });
      expect(await moves.lease(one.host, 0)).toBe(true);
      expect(await fleet.take(sessionOf('a'), two.host, 1)).toMatchObject({ epoch: 2 });
      expect(await moves.lease(one.host, 60_000)).toBe(false);
      expect(await moves.leasedFor(one.host)).toBe(0);
      await moves.settled(one.host, sessionOf('a'));
      expect(await moves.lease(one.host, 60_000)).toBe(true);
      expect(await fleet.take(sessionOf('b'), two.host, 1)).toBe('leased');
    });

    it('does not let a host write to the channel of another by naming it as part of its own session', async () => {
      one.create('a');
      await ship(one);
      two.create('b');
      const append = two.next();
      const stolen = append.batch.channels.map((channel) => ({ ...channel, uri: chatOf('a'), isWhole: true }));
      const log = [{ channel: chatOf('a'), firstSeq: 50, lastSeq: 50, envelopes: envelopeOf('a', 50) }];
      expect(await fleet.append([{ ...append, batch: { ...append.batch, channels: stolen, log } }])).toMatchObject([
        { verdict: 'fenced', sessions: [sessionOf('a')] },
      ]);
      expect(await fleet.channels.read(chatOf('a'))).toEqual({
        host: one.host,
        ...one.store.channels.read(chatOf('a')),
      });
    });

    it('lists sessions in pages, newest first, each once', async () => {
      for (let index = 0; index < 7; index++) one.create(`s${index}`, { modifiedAt: index % 3 });
      await ship(one);
      const seen: string[] = [];
      let cursor: Parameters<FleetStore['sessions']['page']>[1];
      do {
        const page = await fleet.sessions.page({ limit: 2 }, cursor);
        seen.push(...page.sessions.map(({ summary }) => (JSON.parse(summary) as { title: string }).title));
        cursor = page.next;
      } while (cursor);
      expect(seen.map((title) => Number(title.slice(1)) % 3)).toEqual([2, 2, 1, 1, 0, 0, 0]);
      expect(new Set(seen).size).toBe(7);
    });

    it('finds sessions by host, status, title and label', async () => {
      one.create('Fix the 100% login', { status: 1 | 32 });
      one.create('busy', { status: 8 });
      two.create('other');
      one.create('gone', { disposedAt: 5 });
      await fleet.append([one.next(), two.next()]);
      const titles = async (query: object) => {
        const { sessions } = await fleet.sessions.page({ limit: 10, ...query });
        return sessions.map(({ summary }) => (JSON.parse(summary) as { title: string }).title).sort();
      };
      expect(await titles({})).toEqual(['Fix the 100% login', 'busy', 'other']);
      expect(await titles({ hosts: [two.host] })).toEqual(['other']);
      expect(await titles({ hosts: [one.host, two.host], status: 8 })).toEqual(['busy']);
      expect(await titles({ status: 1 })).toEqual(['Fix the 100% login', 'other']);
      expect(await titles({ title: '0% LOG' })).toEqual(['Fix the 100% login']);
      expect(await titles({ title: '%' })).toEqual(['Fix the 100% login']);
      expect(await titles({ labels: ['gpu'] })).toEqual(['Fix the 100% login', 'busy']);
    });

    it('keeps the documents of sessions', async () => {
      one.create('a');
      one.store.commit({
        documents: ['x', 'y'].map((key) => ({ collection: 'content', key, session: sessionOf('a'), json: `"${key}"` })),
      });
      await ship(one);
      one.store.commit({ documents: [{ collection: 'content', key: 'x', json: undefined }] });
      await ship(one);
      expect(await fleet.sessions.documents(sessionOf('a'))).toEqual(['"y"']);
    });

    it('deletes what need not be kept any longer, and replays nothing across it', async () => {
      one.create('a');
      one.say('a', 1);
      one.say('a', 2);
      one.snapshot('a', 1);
      one.create('old', { disposedAt: 5 });
      await ship(one);
      expect(await fleet.retain({ disposedBefore: 6, loggedBefore: Date.now() + 60_000 })).toEqual({
        sessions: 1,
        logEntries: 1,
      });
      const replay = async (after: number) =>
        (await fleet.channels.replay(one.host, [chatOf('a')], after)).get(chatOf('a'));
      expect([await replay(0), await replay(1)]).toEqual([undefined, envelopeOf('a', 2)]);
      expect(await fleet.sessions.owner(sessionOf('old'))).toBeUndefined();
    });

    it('keeps files of hosts by what they contain, each host its own, up to a bound', async () => {
      const [a, b] = await Promise.all(['a', 'b'].map(fileOf));
      if (!a || !b) throw new Error('no files');
      expect(await fleet.files.lacking(one.host, [a.id, b.id])).toEqual([a.id, b.id]);
      expect(await fleet.files.put(one.host, [a], 1_000)).toBe(true);
      expect(await fleet.files.put(one.host, [a], 1_000)).toBe(true);
      expect(await fleet.files.put(one.host, [b], 200)).toBe(false);
      expect(await fleet.files.lacking(one.host, [a.id, b.id])).toEqual([b.id]);
      expect(await fleet.files.lacking(two.host, [a.id])).toEqual([a.id]);
      expect(await fleet.files.get(two.host, [a.id])).toEqual([]);
      expect((await fleet.files.get(one.host, [a.id, b.id])).map(({ id }) => id)).toEqual([a.id]);
      await expect(fleet.files.put('nobody', [a], 1_000)).rejects.toThrow('not a member');
    });

    it('removes files to which no record leads, once they are a day old', async () => {
      const [kept, changed, unused, young] = await Promise.all(['kept', 'changed', 'unused', 'young'].map(fileOf));
      if (!kept || !changed || !unused || !young) throw new Error('no files');
      const entry = Buffer.concat([Buffer.from('100644 kept.txt\0'), Buffer.from(kept.id, 'hex')]);
      const folder = await packObject(gitId('tree', entry), { type: 'tree', content: entry });
      one.create('a');
      const record = { turnId: 't', begin: folder.id, end: { files: [{ after: { contentId: changed.id } }] } };
      one.store.commit({
        documents: [{ collection: 'changes', key: 't', session: sessionOf('a'), json: JSON.stringify(record) }],
      });
      await ship(one);
      await fleet.files.put(one.host, [kept, changed, unused, young, folder], 1_000_000);
      const old = [kept, changed, unused, folder].map(({ id }) => id);
      await database.query("update file_object set used_at = now() - interval '2 days' where id = any($1::text[])", [
        old,
      ]);
      expect(await fleet.files.removeUnused()).toBe(0); // it looks once a day
      await database.execute("update file_host set swept_at = now() - interval '2 days'");
      expect(await fleet.files.removeUnused()).toBe(1);
      const all = [kept, changed, unused, young, folder].map(({ id }) => id);
      expect(await fleet.files.lacking(one.host, all)).toEqual([unused.id]);
      const [bytes] = await database.query<{ same: boolean }>(
        'select bytes = (select sum(bytes) from file_object) as same from file_host',
      );
      expect(bytes?.same).toBe(true);
    });

    it('puts parts together, whichever gateway got them', async () => {
      const text = (words: string) => new TextEncoder().encode(words);
      await fleet.parts.put(one.host, 'x', 1, text('b'));
      await fleet.parts.put(one.host, 'x', 0, text('a'));
      await fleet.parts.put(one.host, 'x', 0, text('A'));
      expect(new TextDecoder().decode(await fleet.parts.take(one.host, 'x', 2))).toBe('Ab');
      expect(await fleet.parts.take(one.host, 'x', 2)).toBeUndefined();
    });
  });
}

function fileOf(text: string): Promise<KeptObject> {
  return packObject(gitId('blob', Buffer.from(text)), { type: 'blob', content: Buffer.from(text) });
}

function gitId(type: string, content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}

export async function enrolHost(database: Database, name: string, labels: readonly string[] = []): Promise<string> {
  const registry = createRegistry(database);
  const invitation = await registry.invite(labels, Date.now() + 60_000);
  const enrolled = await registry.enrol({ ...invitation, name, publicKey: `key of ${name} ${invitation.id}` });
  if (!enrolled) throw new Error('the invitation was refused');
  return enrolled.host;
}

/** A host's store, as far as shipping goes. */
export class ShippingStore {
  readonly host: string;
  readonly store: StoreWithFeed;
  readonly feed: StoreFeed;
  position = 0;

  constructor(host: string, store: StoreWithFeed = createMemoryStore()) {
    this.host = host;
    this.store = store;
    this.feed = store.feed();
  }

  next(maxBytes = Infinity): HostAppend {
    const { id: feed, start } = this.feed;
    return { host: this.host, feed, start, epochs: {}, batch: this.feed.read(this.position, maxBytes) };
  }

  create(name: string, { modifiedAt = 1, status = 1, disposedAt }: SessionSettings = {}): void {
    const session = sessionOf(name);
    const json = JSON.stringify({ resource: session, title: name, status, modifiedAt });
    this.store.commit({
      channels: [
        { uri: session, kind: 'session', session, unsettled: false, snapshot: { seq: 0, json: '{}' } },
        { uri: chatOf(name), kind: 'chat', session, unsettled: false, snapshot: { seq: 0, json: '{"turns":[]}' } },
      ],
      summaries: [{ session, modifiedAt, json }],
      ...(disposedAt !== undefined && { disposals: [{ session, disposedAt }] }),
    });
  }

  say(name: string, ...seqs: readonly number[]): void {
    const envelopes = seqs.map((seq) => envelopeOf(name, seq)).join(',');
    this.store.commit({
      log: [{ channel: chatOf(name), firstSeq: seqs[0] ?? 0, lastSeq: seqs.at(-1) ?? 0, envelopes }],
    });
  }

  snapshot(name: string, seq: number): void {
    const put = { uri: chatOf(name), kind: 'chat' as const, session: sessionOf(name), unsettled: false };
    this.store.commit({ channels: [{ ...put, snapshot: { seq, json: `{"at":${seq}}` } }] });
  }
}

interface SessionSettings {
  readonly modifiedAt?: number;
  readonly status?: number;
  readonly disposedAt?: number;
}

export function sessionOf(name: string): string {
  return `ahp-session:/${name}`;
}

export function chatOf(name: string): string {
  return `ahp-chat:/${name}`;
}

function envelopeOf(name: string, serverSeq: number): string {
  const action = { type: 'chat/delta', content: `said "${serverSeq}" \\ {€😀}` };
  return JSON.stringify({ channel: chatOf(name), action, serverSeq });
}
