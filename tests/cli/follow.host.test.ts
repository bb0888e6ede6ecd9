import { randomUUID } from 'node:crypto';
import { demoAgent } from '@moorage/agents/demo';
import { openRequests, sessionUri } from '@moorage/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { LiveSession } from '../../packages/cli/src/client/sessions/live-session.js';
import { followTurn } from '../../packages/cli/src/client/turn/follow.js';
import { pendingRequests } from '../../packages/cli/src/client/turn/pending-requests.js';
import { queuedTurn, startTurn } from '../../packages/cli/src/client/turn/start.js';
import { MemoryHost } from '../support/memory-host.js';

const hosts: MemoryHost[] = [];

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

async function openSession(): Promise<LiveSession> {
  const host = new MemoryHost(() => [demoAgent({ isolation: 'none' })]);
  hosts.push(host);
  const client = await host.client('person');
  const channel = sessionUri.format(randomUUID());
  await client.request('createSession', { channel, provider: 'demo' });
  return LiveSession.open(client, channel);
}

async function until(live: LiveSession, isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  await new Promise<void>((resolve) => {
    const stop = live.onChange(() => {
      if (!isSo()) return;
      stop();
      resolve();
    });
  });
}

it('prints what came with the end of a turn while it was asking, as after a lost connection', async () => {
  const live = await openSession();
  const turnId = await startTurn(live, '/ask Go on? | yes\n/say It went on');
  await until(live, () => pendingRequests(live.chats).length === 1);
  const printed: string[] = [];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  let look = () => {};
  const atOnce = Object.create(live, {
    client: { value: live.client },
    session: { value: live.session },
    main: { value: live.main },
    chats: { get: () => live.chats },
    onChange: {
      value: (listener: () => void) => {
        look = listener;
        return () => {};
      },
    },
  }) as LiveSession;
  try {
    const end = followTurn(atOnce, turnId, { policy: 'ask', prints: true });
    const requestId = openRequests(live.main.confirmed)[0]?.id ?? '';
    await live.main.dispatch({ type: 'chat/inputCompleted', requestId, response: 'decline' });
    await until(live, () => live.main.confirmed.turns.some(({ id }) => id === turnId));
    look();
    expect(await end).toMatchObject({ state: 'complete' });
    expect(printed.join('')).toMatch(/Go on\?.*It went on/s);
  } finally {
    out.mockRestore();
  }
});

it('knows the turn of a message that is taken up as soon as it is queued', async () => {
  const live = await openSession();
  const turnId = await queuedTurn(live, '/say Hello');
  await until(live, () => live.main.confirmed.turns.some(({ id }) => id === turnId));
});

it('does not wait for a message that somebody took out of the queue', async () => {
  const live = await openSession();
  await startTurn(live, '/ask Go on?');
  await until(live, () => pendingRequests(live.chats).length === 1);
  const waiting = queuedTurn(live, '/say Never said');
  await until(live, () => live.main.confirmed.queuedMessages !== undefined);
  const id = live.main.confirmed.queuedMessages?.[0]?.id ?? '';
  await live.main.dispatch({ type: 'chat/pendingMessageRemoved', kind: 'queued', id });
  await expect(waiting).rejects.toThrow('taken out of the queue');
});
