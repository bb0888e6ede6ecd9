import { type SessionState, sessionUsage } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { turn } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';

let host: TestHost | undefined;
afterEach(async () => {
  await host?.dispose();
  host = undefined;
});

async function start() {
  host = await TestHost.start();
  const client = await host.client();
  const { session, chat } = await host.session(client, {});
  const usage = async () => sessionUsage((await client.subscribe<SessionState>(session)) as SessionState);
  return { host, client, session, chat, usage };
}

describe('what a session has used', () => {
  it('is the sum of the turns of all its chats, and stays when a chat is removed', async () => {
    const { host, client, session, chat, usage } = await start();
    expect(await usage()).toBeUndefined();
    await turn(client, chat, '/usage 40 20\n/say one');
    expect(await usage()).toMatchObject({ inputTokens: 40, outputTokens: 20 });
    const other = host.newChatUri();
    await client.request('createChat', { channel: session, chat: other });
    await client.subscribe(other);
    await turn(client, other, '/usage 5 1\n/say two');
    await turn(client, chat, '/usage 100 10\n/say three');
    expect(await usage()).toMatchObject({ inputTokens: 145, outputTokens: 31, costs: [] });
    await client.request('disposeChat', { channel: other });
    expect(await usage()).toMatchObject({ inputTokens: 145, outputTokens: 31 });
  });

  it('is the same after a restart', async () => {
    const { host, chat, client, session } = await start();
    await turn(client, chat, '/usage 7 3\n/say one');
    await host.restart();
    const again = await host.client();
    const state = (await again.subscribe<SessionState>(session)) as SessionState;
    expect(sessionUsage(state)).toMatchObject({ inputTokens: 7, outputTokens: 3 });
  });
});
