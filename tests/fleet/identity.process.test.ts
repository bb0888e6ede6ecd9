import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  authenticatorOf,
  connectNatsBus,
  createFleetKeys,
  createHostKey,
  ENROL_SUBJECT,
  enrolmentCredential,
  gatewayCredential,
  hostInbox,
  hostToken,
  type MemberCredential,
  natsSettings,
  publishRevocations,
  systemCredential,
} from '@moorage/fleet';
import type { Bus } from '@moorage/host';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasNats, type NatsServer, startNats } from '../support/fleet/nats-server.js';

describe.skipIf(!hasNats())('the bus, as the fleet sets it up', () => {
  const keys = createFleetKeys();
  let server: NatsServer;
  const open: Bus[] = [];
  beforeAll(async () => {
    server = await startNats(async (folder) => {
      mkdirSync(join(folder, 'accounts'));
      return natsSettings(keys, join(folder, 'accounts'));
    });
  });
  afterEach(() => Promise.all(open.splice(0).map((bus) => bus.close())));
  afterAll(() => server.end());

  async function memberOf(credential: MemberCredential): Promise<Bus> {
    const { inboxPrefix } = credential;
    const authenticator = authenticatorOf(credential);
    const bus = await connectNatsBus({ servers: [server.url], name: 'test', authenticator, inboxPrefix });
    open.push(bus);
    return bus;
  }

  async function hostCredential(id: string): Promise<MemberCredential & { publicKey: string }> {
    const { seed, publicKey } = createHostKey();
    return { token: await hostToken(keys, id, publicKey), seed, inboxPrefix: hostInbox(id), publicKey };
  }

  const text = (body: Uint8Array) => new TextDecoder().decode(body);
  const bytes = (value: string) => new TextEncoder().encode(value);

  it('lets in nobody without a credential of the fleet', async () => {
    await expect(connectNatsBus({ servers: [server.url], name: 'test' })).rejects.toThrow(/Authorization Violation/);
    const other = createFleetKeys();
    await expect(memberOf(await gatewayCredential(other))).rejects.toThrow(/Authorization Violation/);
  });

  it('lets a gateway and its hosts talk, both ways', async () => {
    const [gateway, host] = [await memberOf(await gatewayCredential(keys)), await memberOf(await hostCredential('a'))];
    const asked = ['open', 'enter', 'share'];
    for (const word of asked) host.serve(`ahp.h.a.${word}`, async ({ body }) => bytes(`${word} ${text(body)}`));
    gateway.serve('ahp.h.*.ship', async ({ subject }) => bytes(`stored ${subject}`));
    await Promise.all([host.flush(), gateway.flush()]);
    for (const word of asked)
      expect(text(await gateway.request(`ahp.h.a.${word}`, bytes('x'), 30_000))).toBe(`${word} x`);
    expect(text(await host.request('ahp.h.a.ship', bytes(''), 30_000))).toBe('stored ahp.h.a.ship');
  });

  it('lets no host speak or listen for another, nor for a gateway', async () => {
    const [gateway, a, b] = [
      await memberOf(await gatewayCredential(keys)),
      await memberOf(await hostCredential('a')),
      await memberOf(await hostCredential('b')),
    ];
    const heard: string[] = [];
    gateway.subscribe('ahp.>', ({ subject, body }) => heard.push(`${subject} ${text(body)}`));
    const overheard: string[] = [];
    for (const pattern of ['ahp.h.b.>', 'ahp.>', '>', '_INBOX_gateway.>', '_INBOX_h_b.>', ENROL_SUBJECT]) {
      a.subscribe(pattern, ({ subject }) => overheard.push(subject));
    }
    await gateway.flush();
    const own = ['ahp.h.a.open', 'ahp.h.a.enter', 'ahp.h.a.share', 'ahp.h.a.c.x.in']; // where a host believes what is said
    for (const subject of [
      ...own,
      'ahp.h.b.c.x.out',
      'ahp.h.b.ship',
      'ahp.h.b.enter',
      'ahp.h.b.share',
      ENROL_SUBJECT,
      '_INBOX_gateway.x',
    ])
      a.publish(subject, bytes('forged'));
    a.publish('ahp.h.a.ship', bytes('own'));
    b.publish('ahp.h.b.ship', bytes('own'));
    gateway.publish('ahp.h.b.c.x.in', bytes('for b'));
    await vi.waitFor(() => {
      expect(heard).toContain('ahp.h.a.ship own');
      expect(heard).toContain('ahp.h.b.ship own');
      expect(heard).toContain('ahp.h.b.c.x.in for b');
    });
    expect(heard.filter((line) => line.includes('forged'))).toEqual([]);
    expect(overheard).toEqual([]);
  });

  it('lets a new machine do nothing but ask for membership, and only until its time is over', async () => {
    const gateway = await memberOf(await gatewayCredential(keys));
    gateway.serve(ENROL_SUBJECT, async () => bytes('welcome'));
    await gateway.flush();
    const stranger = await memberOf(await enrolmentCredential(keys, 'e1', Date.now() + 60_000));
    expect(text(await stranger.request(ENROL_SUBJECT, bytes(''), 30_000))).toBe('welcome');
    const heard: string[] = [];
    gateway.subscribe('ahp.h.>', ({ subject }) => heard.push(subject));
    await gateway.flush();
    stranger.publish('ahp.h.a.ship', bytes('forged'));
    await stranger.flush();
    await gateway.flush();
    expect(heard).toEqual([]);
    await expect(memberOf(await enrolmentCredential(keys, 'e2', Date.now() - 60_000))).rejects.toThrow(
      /Authoriz|expired/i,
    );
  });

  it('cuts off a host that is revoked, for good, and nobody else', async () => {
    const credential = await hostCredential('gone');
    const [revoked, other] = [await memberOf(credential), await memberOf(await hostCredential('stays'))];
    const system = await memberOf(await systemCredential(keys));
    await publishRevocations(system, keys, { [credential.publicKey]: Math.floor(Date.now() / 1_000) + 1 });
    await vi.waitFor(() => expect(revoked.isUp).toBe(false), 5_000);
    await expect(memberOf(credential)).rejects.toThrow(/Authorization Violation/);
    expect(other.isUp).toBe(true);
    await server.kill();
    await server.restart(); // it has kept the revocation
    await expect(memberOf(credential)).rejects.toThrow(/Authorization Violation/);
    await memberOf(await hostCredential('stays'));
  });
});
