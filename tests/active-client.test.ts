import type { SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, reasonFor } from './support/actions.js';
import { TestHost } from './support/test-host.js';
import type { WireClient } from './support/wire-client.js';

let host: TestHost;
let alice: WireClient;
let bob: WireClient;
let session: string;
beforeEach(async () => {
  host = await TestHost.start();
  alice = await host.client();
  bob = await host.client();
  ({ session } = await host.session(alice));
  await bob.subscribe(session);
});
afterEach(() => host.dispose());

const claim = (client: WireClient, ...tools: string[]) => ({
  type: 'session/activeClientChanged',
  activeClient: { clientId: client.clientId, tools: tools.map((name) => ({ name })) },
});
const RELEASE = { type: 'session/activeClientChanged', activeClient: null };
const TOOLS = { type: 'session/activeClientToolsChanged', tools: [{ name: 'new' }] };
const active = async () => (await bob.subscribe<SessionState>(session)).activeClient;

it('a change of the active client is replayed exactly as it was sent', async () => {
  await accepted(alice, session, claim(alice, 'one'));
  await bob.sync();
  await bob.close();
  await accepted(alice, session, RELEASE);
  const { result } = await host.reconnect(bob, [session]);
  const actions = alice.envelopes.filter(({ channel, serverSeq }) => channel === session && serverSeq > bob.lastSeen);
  expect(actions).toHaveLength(1);
  expect(result).toEqual({ type: 'replay', actions, missing: [] });
});

describe('the role of the active client', () => {
  it('is claimed, changed and given back by its holder (B-132, B-133, B-136, B-191)', async () => {
    await accepted(alice, session, claim(alice, 'one'));
    expect(await active()).toEqual({ clientId: alice.clientId, tools: [{ name: 'one' }] });
    await accepted(alice, session, TOOLS);
    expect(await active()).toEqual({ clientId: alice.clientId, tools: [{ name: 'new' }] });
    await accepted(alice, session, claim(alice, 'two'));
    expect(await active()).toEqual({ clientId: alice.clientId, tools: [{ name: 'two' }] });
    const released = await accepted(alice, session, RELEASE);
    expect(released.action).toEqual(RELEASE);
    expect(await active()).toBeUndefined();
  });

  it('cannot be taken, changed or given back by another client, nor claimed for one (B-134, OQ-67)', async () => {
    await accepted(alice, session, claim(alice, 'mine'));
    expect(await reasonFor(bob, session, claim(bob))).toContain(alice.clientId);
    expect(await reasonFor(bob, session, claim(alice, 'not mine'))).toContain('only for itself');
    expect(await reasonFor(bob, session, RELEASE)).toContain('only the active client');
    expect(await reasonFor(bob, session, TOOLS)).toContain('only the active client');
    expect(await active()).toEqual({ clientId: alice.clientId, tools: [{ name: 'mine' }] });
    await accepted(alice, session, RELEASE);
    expect(await reasonFor(alice, session, RELEASE)).toContain('only the active client');
    expect(await reasonFor(alice, session, TOOLS)).toContain('only the active client');
    await accepted(bob, session, claim(bob));
  });

  it('ends for the host when its holder disconnects (B-135, B-200)', async () => {
    const other = await host.session(alice);
    await accepted(alice, session, claim(alice));
    await accepted(alice, other.session, claim(alice));
    await alice.close();
    const end = await bob.envelope(
      (e) => e.action.type === 'session/activeClientChanged' && e.action.activeClient === null,
    );
    expect(end.origin).toBeUndefined();
    await accepted(bob, session, claim(bob));
    expect((await bob.subscribe<SessionState>(other.session)).activeClient).toBeUndefined();
  });

  it('ends when the host is stopped, and when it dies (B-135)', async () => {
    await accepted(alice, session, claim(alice));
    const crashed = await host.afterCrash();
    const carol = await crashed.client({ subscriptions: [session] });
    expect((await carol.subscribe<SessionState>(session)).activeClient).toBeUndefined();
    await accepted(carol, session, claim(carol));
    await crashed.dispose();

    await host.restart();
    bob = await host.client({ subscriptions: [session] });
    expect(await active()).toBeUndefined();
    await accepted(bob, session, claim(bob));
  });

  it('given at creation ends the same way (B-105)', async () => {
    const created = host.newSessionUri();
    const { activeClient } = claim(alice);
    await alice.request('createSession', { channel: created, activeClient });
    await bob.subscribe(created);
    await alice.close();
    await bob.action(created, 'session/activeClientChanged');
    await accepted(bob, created, claim(bob));
  });

  it('ends also in a session that nobody watches', async () => {
    const unwatched = host.newSessionUri();
    const { activeClient } = claim(alice);
    await alice.request('createSession', { channel: unwatched, activeClient });
    host.host.unloadIdle();
    await host.leave(alice);
    expect((await bob.subscribe<SessionState>(unwatched)).activeClient).toBeUndefined();
    await accepted(bob, unwatched, claim(bob));
  });
});
