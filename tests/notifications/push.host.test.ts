import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filePeople, nodeClock, webPush } from '@moorage/host';
import { ManualClock } from '@moorage/host/testing';
import { ROOT_URI } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { choice, PATIENT, startTurn as send, turn } from '../support/actions.js';
import { PostReceiver, PushSubscriber } from '../support/push-service.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost | undefined;
let service: PostReceiver | undefined;

afterEach(async () => {
  await host?.dispose();
  await service?.close();
  host = undefined;
  service = undefined;
});

/** A host that may use a push service on loopback, and a browser that is subscribed there. */
async function start(topics: ('needsYou' | 'done')[], clock?: ManualClock, hasPeople = false) {
  const running = await PostReceiver.start();
  service = running;
  const notifications = (folder: string) => ({
    push: webPush({ keyFile: join(folder, 'push-keys.json'), allowedServices: [running.origin] }),
  });
  const file = join(tmpdir(), `moorage-people-${crypto.randomUUID()}.json`);
  const people = hasPeople ? filePeople({ file, clock: nodeClock }) : undefined;
  const started = await TestHost.start({ notifications, ...(clock && { clock }), ...(people && { people }) });
  host = started;
  const client = await started.client();
  const { publicKey } = await client.request('moorage/getPushKey', { channel: ROOT_URI });
  const browser = new PushSubscriber(`${running.origin}/send/secret`);
  const { subscription } = browser;
  await client.request('moorage/subscribePush', { channel: ROOT_URI, subscription, topics });
  return { people, host: started, service: running, client, browser, publicKey };
}

/** Waits for the nth question of a session, and answers it. */
async function answer(client: WireClient, session: string, count = 1): Promise<void> {
  const { request } = await client.action(session, 'session/inputNeededSet', count);
  if (request.kind === 'chatInput') await client.act(request.chat, choice(request.request, 'yes'));
}

it('somebody who was revoked is told nothing more, and neither is a namesake', async () => {
  const { host, service, client, people } = await start(['done'], undefined, true);
  if (!people) throw new Error('this host has people');
  const invited = async () => {
    const { secret } = await client.request('moorage/invitePerson', { channel: ROOT_URI, name: 'Ada', role: 'view' });
    return host.client({ token: people.redeem(secret) ?? '' });
  };
  const ada = await invited();
  const { subscription } = new PushSubscriber(`${service.origin}/send/ada`);
  await ada.request('moorage/subscribePush', { channel: ROOT_URI, subscription, topics: ['done'] });
  const { chat } = await host.session(client);
  const paths = () => service.received.map(({ path }) => path).sort();
  await turn(client, chat, '/say one');
  await expect.poll(paths, PATIENT).toEqual(['/send/ada', '/send/secret']);
  await client.request('moorage/revokePerson', { channel: ROOT_URI, name: 'Ada' });
  await invited();
  await turn(client, chat, '/say two');
  await expect.poll(() => paths().length, PATIENT).toBe(3);
  await turn(client, chat, '/say three');
  await expect.poll(() => paths().length, PATIENT).toBe(4);
  expect(paths()).toEqual(['/send/ada', '/send/secret', '/send/secret', '/send/secret']);
});

describe('a browser that is subscribed', () => {
  it('is told which session needs what, encrypted for it and signed by the host', async () => {
    const { host, service, client, browser, publicKey } = await start(['needsYou']);
    const { session, chat } = await host.session(client);
    send(client, chat, '/title Colours\n/ask Which colour? | red | blue');
    const received = await service.request();
    expect(received.path).toBe('/send/secret');
    expect(received.headers).toMatchObject({ urgency: 'high' });
    expect(received.body.toString('latin1')).not.toContain('Colours');
    expect(browser.read(received, publicKey)).toEqual({
      topic: 'needsYou',
      title: 'Colours needs you',
      body: expect.stringContaining('Which colour?'),
      session,
      chat,
    });
  });

  it('is told what is done and what failed, if it wants to, and of nothing else', async () => {
    const clock = new ManualClock();
    const { host, service, client, browser, publicKey } = await start(['done'], clock);
    const { session, chat } = await host.session(client);
    send(client, chat, '/title Work\n/ask Which? | yes | no');
    await client.action(session, 'session/inputNeededSet');
    clock.advance(60_000);
    await answer(client, session);
    await client.action(chat, 'chat/turnComplete');
    await service.request(1);
    send(client, chat, '/fail the disk is full');
    await service.request(2);
    expect(service.received.map((received) => browser.read(received, publicKey))).toEqual([
      expect.objectContaining({ topic: 'done', title: 'Work is done' }),
      expect.objectContaining({
        topic: 'done',
        title: 'Work failed',
        body: expect.stringContaining('the disk is full'),
      }),
    ]);
  });

  it('is told of the end of a queue, not of each message in it', async () => {
    const { host, service, client, browser, publicKey } = await start(['done']);
    const { session, chat } = await host.session(client);
    send(client, chat, '/title Queue\n/ask Go on? | yes | no');
    const queued = { type: 'chat/pendingMessageSet', kind: 'queued', id: 'next', message: userMessage('/say last') };
    await client.act(chat, queued);
    await answer(client, session);
    await client.action(chat, 'chat/turnComplete', 2);
    const received = await service.request();
    expect(browser.read(received, publicKey)).toMatchObject({ body: 'last' });
    expect(service.received).toHaveLength(1);
  });

  it('hears nothing of what is answered at once', async () => {
    const clock = new ManualClock();
    const { host, service, client, browser, publicKey } = await start(['needsYou'], clock);
    const { session, chat } = await host.session(client);
    send(client, chat, '/ask First? | yes | no\n/ask Second? | yes | no');
    await answer(client, session);
    await client.action(session, 'session/inputNeededSet', 2);
    clock.advance(1_500);
    expect(browser.read(await service.request(), publicKey)).toMatchObject({ body: 'Asks: Second?' });
    clock.advance(60_000);
    await client.sync();
    expect(service.received).toHaveLength(1);
  });

  it('is still subscribed after a restart, and no longer once it has left', async () => {
    const { host, service, client, browser, publicKey } = await start(['done']);
    await client.close();
    await host.restart();
    const again = await host.client();
    expect((await again.request('moorage/getPushKey', { channel: ROOT_URI })).publicKey).toBe(publicKey);
    const { chat } = await host.session(again);
    send(again, chat, '/say one');
    expect(browser.read(await service.request(), publicKey)).toMatchObject({ body: 'one' });
    await again.request('moorage/unsubscribePush', { channel: ROOT_URI, endpoint: browser.endpoint });
    send(again, chat, '/say two');
    await again.action(chat, 'chat/turnComplete', 2);
    await again.sync();
    expect(service.received).toHaveLength(1);
  });

  it('is forgotten when its push service says that it is gone', async () => {
    const { host, service, client } = await start(['done']);
    const { chat } = await host.session(client);
    service.status = 410;
    send(client, chat, '/say one');
    await service.request();
    await expect.poll(() => host.logged.join('\n'), PATIENT).toContain('notification.expired');
    service.status = 201;
    send(client, chat, '/say two');
    await client.action(chat, 'chat/turnComplete', 2);
    await client.sync();
    expect(service.received).toHaveLength(1);
  });

  it('gets a message later if its push service was overloaded, but not for ever', async () => {
    const clock = new ManualClock();
    const { host, service, client } = await start(['done'], clock);
    const { chat } = await host.session(client);
    service.status = 503;
    send(client, chat, '/say one');
    for (const [index, pause] of [5_000, 30_000, 120_000].entries()) {
      const before = clock.waiting;
      await service.request(index + 1);
      await expect.poll(() => clock.waiting, PATIENT).toBe(before + 1); // it will be tried again
      clock.advance(pause);
    }
    await expect.poll(() => host.logged.join('\n'), PATIENT).toContain('notification.failed');
    clock.advance(600_000);
    await client.sync();
    expect(service.received).toHaveLength(4);
    const line = host.logged.find((one) => one.startsWith('notification.failed'));
    expect(line).toContain('503');
    expect(line).not.toContain('secret');
  });
});

describe('the keys of the host', () => {
  it('are in its data folder, for nobody else to read', async () => {
    const { host } = await start(['done']);
    expect(statSync(join(host.folder, 'push-keys.json')).mode & 0o777).toBe(0o600);
  });
});

describe('an endpoint that a client gives', () => {
  it.each([
    ['plain http', 'http://push.example/x'],
    ['another port of this machine', 'http://127.0.0.1:1/x'],
    ['loopback', 'https://127.0.0.1/x'],
    ['loopback by another spelling', 'https://2130706433/x'],
    ['loopback in IPv6', 'https://[::1]/x'],
    ['a mapped address', 'https://[::ffff:10.0.0.1]/x'],
    ['a private network', 'https://192.168.1.1/x'],
    ['the metadata of a cloud', 'https://169.254.169.254/latest'],
    ['a user and a password', 'https://a:b@push.example/x'],
    ['no address at all', 'nonsense'],
  ])('is refused if it is %s', async (_, endpoint) => {
    const { client, browser } = await start(['done']);
    const subscription = { ...browser.subscription, endpoint };
    const params = { channel: ROOT_URI, subscription, topics: ['done'] };
    expect(await client.refused('moorage/subscribePush', params)).toMatchObject({ code: -32602 });
  });

  it('is not used if its name leads to this machine', async () => {
    const clock = new ManualClock();
    const { host, service, client, browser } = await start(['needsYou'], clock);
    const endpoint = service.origin.replace('http://127.0.0.1', 'https://localhost');
    const subscription = { ...browser.subscription, endpoint };
    await client.request('moorage/subscribePush', { channel: ROOT_URI, subscription, topics: ['done'] });
    const { chat } = await host.session(client);
    send(client, chat, '/say done');
    const failure = () => {
      clock.advance(120_000); // until it is no longer tried again
      return host.logged.find((line) => line.startsWith('notification.failed'));
    };
    await expect.poll(failure, PATIENT).toContain('the name leads to a private address');
  });

  it('needs keys of the right size, and a topic', async () => {
    const { client, browser } = await start(['done']);
    const { endpoint, keys } = browser.subscription;
    for (const wrong of [
      { ...keys, auth: 'short' },
      { ...keys, p256dh: 'x'.repeat(200) },
    ]) {
      const params = { channel: ROOT_URI, subscription: { endpoint, keys: wrong }, topics: ['done'] };
      expect(await client.refused('moorage/subscribePush', params)).toMatchObject({ code: -32602 });
    }
    const none = { channel: ROOT_URI, subscription: browser.subscription, topics: [] };
    expect(await client.refused('moorage/subscribePush', none)).toMatchObject({ code: -32602 });
  });

  it('is bounded in number, and belongs to the credential that gave it', async () => {
    const { host, service, client, browser } = await start(['done']);
    const other = await host.client({ token: host.otherToken });
    await other.request('moorage/unsubscribePush', { channel: ROOT_URI, endpoint: browser.endpoint });
    const { chat } = await host.session(client);
    send(client, chat, '/say still there');
    await service.request();
    for (let count = 2; count <= 50; count++) {
      const { subscription } = new PushSubscriber(`${service.origin}/send/${count}`);
      await client.request('moorage/subscribePush', { channel: ROOT_URI, subscription, topics: ['needsYou'] });
    }
    const { subscription } = new PushSubscriber(`${service.origin}/send/more`);
    const refusal = await client.refused('moorage/subscribePush', {
      channel: ROOT_URI,
      subscription,
      topics: ['done'],
    });
    expect(refusal.message).toContain('at most 50');
  });
});
