import { createRegistry, type Database, FLEET_TABLES, migrate, openPostgres, type Registry } from '@moorage/fleet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPglite } from '../support/fleet/pglite.js';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/fleet/postgres-server.js';

const LATER = () => Date.now() + 60_000;

describe('on PGlite', () => describeRegistry(openPglite));

describe.skipIf(postgresPrograms() === undefined)('on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.end());
  describeRegistry(() => openPostgres({ url: server.url }));

  it('takes an invitation once, however many use it at the same moment', async () => {
    const gateways = Array.from({ length: 8 }, () => openPostgres({ url: server.url }));
    const registries = gateways.map(createRegistry);
    const invitation = await registries[0]?.invite([], LATER());
    const machine = (index: number) => ({ id: '', secret: '', ...invitation, name: 'm', publicKey: `race-${index}` });
    const enrolled = await Promise.all(registries.map((registry, index) => registry.enrol(machine(index))));
    expect(enrolled.filter((it) => it !== undefined).length).toBe(1);
    await Promise.all(gateways.map((database) => database.close()));
  });
});

function describeRegistry(open: () => Database): void {
  let database: Database;
  let registry: Registry;
  beforeAll(async () => {
    database = open();
    await migrate(database, FLEET_TABLES);
    registry = createRegistry(database);
  });
  afterAll(() => database.close());

  it('makes a machine a member with its invitation, once', async () => {
    const invitation = await registry.invite(['gpu', 'a "quoted" one'], LATER());
    const machine = { ...invitation, name: 'build-17', publicKey: 'UA' };
    const { host } = (await registry.enrol(machine)) ?? { host: '' };
    expect(host).toMatch(/^[0-9a-f]{20}$/);
    expect(await registry.enrol({ ...machine, publicKey: 'UB' })).toBeUndefined();
    const [found] = (await registry.hosts()).filter(({ id }) => id === host);
    expect(found).toMatchObject({ name: 'build-17', publicKey: 'UA', labels: ['gpu', 'a "quoted" one'] });
    expect([found?.seenAt, found?.revokedAt]).toEqual([undefined, undefined]);
  });

  it('takes no invitation that is unknown, wrong or too old', async () => {
    const [good, old] = [await registry.invite([], LATER()), await registry.invite([], Date.now() - 1)];
    const machine = { name: 'm', publicKey: 'UC' };
    expect(await registry.enrol({ ...machine, id: 'nothing', secret: good.secret })).toBeUndefined();
    expect(await registry.enrol({ ...machine, id: good.id, secret: 'wrong' })).toBeUndefined();
    expect(await registry.enrol({ ...machine, ...old })).toBeUndefined();
    expect(await registry.enrol({ ...machine, ...good })).toBeDefined();
  });

  it('uses up no invitation for a key that is a member already', async () => {
    const [first, second] = [await registry.invite([], LATER()), await registry.invite([], LATER())];
    await registry.enrol({ ...first, name: 'm', publicKey: 'UD' });
    await expect(registry.enrol({ ...second, name: 'm', publicKey: 'UD' })).rejects.toThrow(/unique/);
    expect(await registry.enrol({ ...second, name: 'm', publicKey: 'UE' })).toBeDefined();
  });

  it('remembers when hosts were seen and revoked', async () => {
    const { host } = (await registry.enrol({
      ...(await registry.invite([], LATER())),
      name: 'x',
      publicKey: 'UF',
    })) ?? { host: '' };
    await registry.seen([host, 'unknown']);
    expect(await registry.revokeHost(host)).toBe(true);
    expect(await registry.revokeHost(host)).toBe(false);
    expect(await registry.revokeHost('unknown')).toBe(false);
    const found = (await registry.hosts()).find(({ id }) => id === host);
    expect([typeof found?.seenAt, typeof found?.revokedAt]).toEqual(['number', 'number']);
  });

  it('keeps tokens as hashes, one valid one per name', async () => {
    const token = await registry.addToken('alice', 'admin');
    await expect(registry.addToken('alice', 'view')).rejects.toThrow('there is a token named alice');
    const [row] = await registry.tokens();
    expect(row).toMatchObject({ name: 'alice', role: 'admin', isAdmin: true, revokedAt: undefined });
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
    expect(row?.hash).toBe(Buffer.from(digest).toString('hex'));
    expect(await registry.revokeToken('alice')).toBe(true);
    expect(await registry.revokeToken('alice')).toBe(false);
    expect(await registry.addToken('alice', 'view')).not.toBe(token);
    expect((await registry.tokens()).map(({ revokedAt }) => revokedAt === undefined)).toEqual([false, true]);
  });

  it('gives a token another role, also that of an admin', async () => {
    await registry.addToken('bob', 'view');
    const bob = async () => {
      const { role, isAdmin } = (await registry.tokens()).find(({ name }) => name === 'bob') ?? {};
      return [role, isAdmin];
    };
    expect(await bob()).toEqual(['view', false]);
    expect(await registry.setTokenRole('bob', 'admin')).toBe(true);
    expect(await bob()).toEqual(['admin', true]);
    expect(await registry.setTokenRole('bob', 'steer')).toBe(true);
    expect(await bob()).toEqual(['steer', false]);
    expect(await registry.setTokenRole('nobody', 'steer')).toBe(false);
  });

  it('leaves tokens from before there were roles what they could do: all at hosts, and the fleet if they were for admins', async () => {
    await database.execute('drop schema public cascade; create schema public');
    const roles = FLEET_TABLES.findIndex(({ name }) => name === 'roles');
    await migrate(database, FLEET_TABLES.slice(0, roles));
    await database.execute(
      "insert into access_token (name, hash, is_admin) values ('a', 'x', true), ('b', 'y', false)",
    );
    await migrate(database, FLEET_TABLES);
    expect((await registry.tokens()).map(({ name, role, isAdmin }) => [name, role, isAdmin])).toEqual([
      ['a', 'admin', true],
      ['b', 'admin', false],
    ]);
  });
}
