import type { ReconnectResult } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { chatState, turn } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const hosts: TestHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.dispose();
});

const start = async (boot: string | undefined) => {
  const host = await TestHost.start({ boot: () => boot });
  hosts.push(host);
  return host;
};

/**
 * A host whose client saw a turn, and another host on the store from before that turn: the end of its log never reached
 * the disk, and what did ends cleanly.
 */
async function cutOff(boot: string | undefined) {
  const host = await start('first');
  const client = await host.client();
  const { session, chat } = await host.session(client);
  await turn(client, chat, '/say one', 'kept');
  await client.sync();
  const next = await host.afterCrash({ boot: () => boot });
  hosts.push(next);
  await turn(client, chat, '/say two', 'lost');
  await client.sync();
  return { client, session, chat, next };
}

const comeBack = async (next: TestHost, client: WireClient, uris: string[]) => {
  const { client: back, result } = await next.reconnect(client, uris);
  return { back, result: result as ReconnectResult };
};

describe('after a power cut', () => {
  it.each(['second', undefined])('nobody resumes by replay what the host may have lost (boot %s)', async (boot) => {
    const { client, session, chat, next } = await cutOff(boot);
    const { back, result } = await comeBack(next, client, [session, chat]);
    expect(result.type).toBe('snapshot');
    expect((await chatState(back, chat)).turns.map(({ id }) => id)).toEqual(['kept']);
    const echo = await back.act(session, { type: 'session/titleChanged', title: 'After' });
    expect(echo.serverSeq).toBeGreaterThan(client.lastSeen);
    expect(next.logged.join()).toContain('the machine stopped before the host');
  });

  it('is not what a host that was stopped, or killed alone, went through: clients resume', async () => {
    const host = await start('first');
    const client = await host.client();
    const { session, chat } = await host.session(client);
    await turn(client, chat, '/say one');
    await client.sync();
    const killed = await host.afterCrash();
    hosts.push(killed);
    expect((await comeBack(killed, client, [session, chat])).result.type).toBe('replay');
    await host.stop();
    const later = await host.afterCrash({ boot: () => 'second' });
    hosts.push(later);
    await host.start();
    expect((await comeBack(later, client, [session, chat])).result.type).toBe('replay');
  });

  it('clients resume again what happened since', async () => {
    const { client, session, chat, next } = await cutOff('second');
    const { back } = await comeBack(next, client, [session, chat]);
    await back.act(session, { type: 'session/titleChanged', title: 'After' });
    const killed = await next.afterCrash();
    hosts.push(killed);
    expect((await comeBack(killed, back, [session, chat])).result.type).toBe('replay');
  });
});
