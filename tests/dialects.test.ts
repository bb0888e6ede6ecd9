import { join } from 'node:path';
import { gitWorkspaces, nodeClock } from '@ahpd/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LegacyClient, type Version } from './support/legacy/client.js';
import { TestHost } from './support/test-host.js';

const VERSIONS: readonly Version[] = [1, '0.1.0', '0.2.0', '0.3.0', '0.4.0', '0.5.0'];

let host: TestHost;
const clients: LegacyClient[] = [];
beforeEach(async () => {
  host = await TestHost.start({
    workspaces: (folder) =>
      gitWorkspaces({ directory: join(folder, 'workspaces'), clock: nodeClock, log: { write: () => {} } }),
  });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await host.dispose();
});

async function connect(version: Version, subscribe?: string[]): Promise<LegacyClient> {
  const client = await LegacyClient.connect(host, version, subscribe ? { subscribe } : {});
  clients.push(client);
  return client;
}

/** The URI under which a version knows a session of the demo agent. */
function sessionFor(client: LegacyClient, id: string): string {
  return client.isEarly ? `demo:/${id}` : `ahp-session:/${id}`;
}

/** Follows a session with all that belongs to it in the version; gives where its conversation is. */
async function follow(client: LegacyClient, id: string): Promise<{ session: string; conversation: string }> {
  const session = sessionFor(client, id);
  const state = await client.attach(session);
  if (client.dialect.down?.mergesChats ?? false) return { session, conversation: session };
  const conversation = String(state.defaultChat);
  await client.attach(conversation);
  return { session, conversation };
}

function turnStarted(client: LegacyClient, turnId: string, text: string): Record<string, unknown> {
  const merged = client.dialect.down?.mergesChats ?? false;
  const hasMessage = !['v1', '0.1', '0.2'].includes(client.dialect.name);
  const message = hasMessage ? { message: { text, origin: { kind: 'user' } } } : { userMessage: { text } };
  return { type: merged ? 'session/turnStarted' : 'chat/turnStarted', turnId, ...message };
}

const ENDS = /\/(turnComplete|turnCancelled|error)$/;

async function runTurn(client: LegacyClient, conversation: string, turnId: string, text: string): Promise<void> {
  client.dispatch(conversation, turnStarted(client, turnId, text));
  const isEnd = (e: { channel: string; action: Record<string, unknown> }) =>
    e.channel === conversation && ENDS.test(String(e.action.type)) && e.action.turnId === turnId;
  await client.envelope(isEnd);
}

describe('clients of every version in one session', () => {
  it.each(VERSIONS)('all see the truth when %s creates it', async (creator) => {
    const all = [];
    for (const version of VERSIONS) all.push(await connect(version));
    const first = all.find((client) => client.version === creator);
    if (!first) throw new Error('nobody creates the session');
    const id = crypto.randomUUID();
    const name = first.isEarly ? 'session' : 'channel';
    await first.request('createSession', {
      [name]: sessionFor(first, id),
      provider: 'demo',
      workingDirectory: host.workspaceUri,
    });
    const places = [];
    for (const client of all) places.push({ client, ...(await follow(client, id)) });

    for (const [index, { client, conversation }] of places.entries()) {
      const script = `/auto on\n/think hm\n/say from ${client.version}\n/write file-${index}.txt some text\n/usage 10 20`;
      await runTurn(client, conversation, `turn-${index}`, script);
      await client.act(sessionFor(client, id), { type: 'session/titleChanged', title: `Named by ${client.version}` });
    }
    const asker = places[0];
    if (!asker) throw new Error('there are no clients');
    asker.client.dispatch(
      asker.conversation,
      turnStarted(asker.client, 'asks', '/auto off\n/ask which? | a | b\n/fail bad'),
    );
    for (const { client, conversation } of places) {
      await client.until(() => (hasInputRequest(client, conversation) ? true : undefined), 'the question');
    }
    await answer(places[3], 'asks');
    for (const { client, conversation } of places) {
      await client.until(
        () => (turnsOf(client, conversation).at(-1)?.state === 'error' ? true : undefined),
        'the failure',
      );
    }
    await settled(places.map(({ client }) => client));
    for (const { client, session, conversation } of places) {
      const fresh = await connect(client.version);
      await follow(fresh, id);
      for (const uri of new Set([session, conversation])) expect(client.comparable(uri)).toEqual(fresh.comparable(uri));
      expect(turnsOf(client, conversation).map((turn) => turn.id)).toEqual([
        ...VERSIONS.map((_, index) => `turn-${index}`),
        'asks',
      ]);
    }
  });
});

type Wire = Record<string, unknown>;
interface Place {
  readonly client: LegacyClient;
  readonly session: string;
  readonly conversation: string;
}

function turnsOf(client: LegacyClient, conversation: string): Wire[] {
  return client.state(conversation).turns as Wire[];
}

function hasInputRequest(client: LegacyClient, conversation: string): boolean {
  return ((client.state(conversation).inputRequests ?? []) as Wire[]).length > 0;
}

async function answer(place: Place | undefined, _turnId: string): Promise<void> {
  if (!place) throw new Error('nobody answers');
  const { client, conversation } = place;
  const [request] = client.state(conversation).inputRequests as {
    id: string;
    questions: { id: string; options: { id: string }[] }[];
  }[];
  const question = request?.questions[0];
  const merged = client.dialect.down?.mergesChats ?? false;
  const value = { kind: 'selected', value: question?.options[0]?.id };
  const echo = await client.act(conversation, {
    type: merged ? 'session/inputCompleted' : 'chat/inputCompleted',
    requestId: request?.id,
    response: 'accept',
    answers: { [question?.id ?? '']: { state: 'submitted', value } },
  });
  expect(echo.rejectionReason).toBeUndefined();
}

/** Waits until nothing more comes: changesets are computed after a turn ended. */
async function settled(all: readonly LegacyClient[]): Promise<void> {
  const count = () => all.reduce((sum, client) => sum + client.envelopes.length + client.notifications.length, 0);
  for (let quiet = 0, last = -1; quiet < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const client of all) await client.sync();
    quiet = count() === last ? quiet + 1 : 0;
    last = count();
  }
}
