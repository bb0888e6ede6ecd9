import { ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accepted, PATIENT, startTurn, turn, turnEnd } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let clock: ManualClock;
let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
beforeEach(async () => {
  clock = new ManualClock();
  agent = new GatedAgent();
  host = await TestHost.start({ clock, agents: () => [agent] });
  client = await host.client();
});
afterEach(() => host.dispose());

/** Sessions that have ended and can still be restored: a URI stays taken until what was stored is gone for good. */
const isKept = async (session: string) =>
  await client.refused('createSession', { channel: session, provider: 'test' }).then(
    () => true,
    () => false,
  );

/** Time goes on, in steps as long as those in which the host looks for what is old. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 6 * HOUR_MS) {
    clock.advance(6 * HOUR_MS);
    await client.sync();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await client.sync();
  }
}

it.each([
  ['ahead', 400 * DAY_MS],
  ['back', -400 * DAY_MS],
])('a clock that jumps %s by a year in a turn harms nothing: numbers rise, the turn ends well', async (_way, jump) => {
  const { session, chat } = await host.session(client, { provider: 'test' });
  const turnId = startTurn(client, chat, 'go');
  await expect.poll(() => agent.turns, PATIENT).toHaveLength(1);
  clock.jump(jump);
  clock.advance(1000);
  await accepted(client, session, { type: 'session/titleChanged', title: 'Later' });
  agent.openAll();
  expect((await turnEnd(client, chat, turnId)).type).toBe('chat/turnComplete');
  clock.jump(-jump);
  await turn(client, chat, 'again');
  const seqs = client.envelopes.map(({ serverSeq }) => serverSeq);
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  agent = new GatedAgent();
  await host.restart();
  client = await host.client();
  expect((await client.subscribe<SessionState>(session)).title).toBe('Later');
  expect(client.lastSeen).toBeGreaterThan(seqs.at(-1) ?? 0);
});

it('a clock that jumps ahead by a year and is put right purges nothing', async () => {
  const { session } = await host.session(client, { provider: 'test' });
  await client.request('disposeSession', { channel: session });
  await pass(2 * DAY_MS); // the clock is trusted by now
  clock.jump(400 * DAY_MS);
  await pass(DAY_MS / 2);
  expect(await isKept(session)).toBe(true);
  clock.jump(-400 * DAY_MS);
  await pass(2 * DAY_MS);
  expect(await isKept(session)).toBe(true);
  agent = new GatedAgent();
  await host.stop();
  clock.jump(400 * DAY_MS); // or it jumped while the host was off
  await host.start();
  client = await host.client();
  await pass(DAY_MS / 2);
  expect(await isKept(session)).toBe(true);
});

it('sessions that ended a month ago are purged all the same, by a clock that runs on', async () => {
  const { session } = await host.session(client, { provider: 'test' });
  await client.request('disposeSession', { channel: session });
  await pass(29 * DAY_MS);
  expect(await isKept(session)).toBe(true);
  await pass(2 * DAY_MS);
  const removed = async () => (await client.request('listDisposedSessions', { channel: ROOT_URI })).items;
  await expect.poll(removed, PATIENT).toEqual([]);
  expect(await client.refused('restoreSession', { channel: session })).toMatchObject({ code: -32001 });
  expect(await isKept(session)).toBe(false);
});
