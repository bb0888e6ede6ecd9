import { type Client, connect, turnStarted } from '@moorage/client';
import { openRequests } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { choice } from '../support/actions.js';
import { TestHost, userMessage } from '../support/test-host.js';

let host: TestHost;
let clients: Client[];
beforeEach(async () => {
  host = await TestHost.start();
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await host.dispose();
});

async function join(clientId?: string): Promise<Client> {
  const client = await connect({
    url: host.url,
    token: host.token,
    clientId,
    reconnect: { minDelayMs: 10, maxDelayMs: 50 },
  });
  clients.push(client);
  return client;
}

describe('the client library with a real host', () => {
  it('shows the same session to two clients, one of which answers what the other asked', async () => {
    const [alice, bob] = [await join(), await join()];
    const uri = 'ahp-session:/shared';
    await alice.request('createSession', { channel: uri, workingDirectories: [host.workspaceUri] });
    const { defaultChat = '' } = (await bob.session(uri)).confirmed;
    const [hers, his] = [await alice.chat(defaultChat), await bob.chat(defaultChat)];
    await hers.dispatch(turnStarted('t1', userMessage('/ask Tea? | yes | no\n/say done')));
    await until(() => openRequests(his.confirmed).length === 1);
    const [request] = openRequests(his.confirmed);
    const [question] = request?.questions ?? [];
    if (!request || question?.kind !== 'single-select') throw new Error('no question came');
    await his.dispatch(choice(request, question.options[0]?.id ?? ''));
    await until(() => hers.confirmed.turns.length === 1 && his.confirmed.turns.length === 1);
    expect(hers.confirmed.turns).toEqual(his.confirmed.turns);
    expect(JSON.stringify(hers.confirmed.turns)).toContain('done');
  });

  it('goes on after the host was restarted, with what others did meanwhile', async () => {
    const client = await join();
    const uri = 'ahp-session:/kept';
    await client.request('createSession', { channel: uri });
    const session = await client.session(uri);
    await session.dispatch({ type: 'session/titleChanged', title: 'Before' });
    const port = Number(new URL(host.url).port);
    await host.stop();
    await until(() => client.status === 'reconnecting');
    await host.start(port);
    await session.dispatch({ type: 'session/isArchivedChanged', isArchived: true });
    expect(session.confirmed).toMatchObject({ title: 'Before', status: 65 });
  });

  it('follows a session again that was removed and restored', async () => {
    const [alice, bob] = [await join(), await join()];
    const uri = 'ahp-session:/back';
    await alice.request('createSession', { channel: uri });
    const session = await bob.session(uri);
    const added: string[] = [];
    bob.on('root/sessionAdded', ({ summary }) => added.push(summary.resource));
    await alice.request('disposeSession', { channel: uri });
    await until(() => session.status === 'gone');
    await alice.request('restoreSession', { channel: uri });
    await until(() => added.includes(uri));
    const again = await bob.session(uri);
    expect(again.confirmed.chats).toHaveLength(1);
    await again.dispatch({ type: 'session/titleChanged', title: 'Back' });
    expect(again.confirmed.title).toBe('Back');
  });

  it('stays away once another connection took its client id, instead of pushing it out again', async () => {
    const first = await join('same');
    const closed = new Promise<Error | undefined>((resolve) =>
      first.onStatus((status, error) => status === 'closed' && resolve(error)),
    );
    const second = await join('same');
    expect(await closed).toMatchObject({ name: 'ConnectError', kind: 'refused' });
    expect(await second.request('ping')).toBeNull();
    expect([first.status, second.status]).toEqual(['closed', 'live']);
  });
});

async function until(condition: () => boolean): Promise<void> {
  for (let look = 0; look < 3_000 && !condition(); look++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(condition()).toBe(true);
}
