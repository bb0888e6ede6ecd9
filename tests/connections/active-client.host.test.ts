import type { SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, reasonFor } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

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
  type: 'session/activeClientSet',
  activeClient: { clientId: client.clientId, tools: tools.map((name) => ({ name })) },
});
const release = ({ clientId }: WireClient) => ({ type: 'session/activeClientRemoved', clientId });
const activeIn = async (uri: string) => (await bob.subscribe<SessionState>(uri)).activeClients;
const active = () => activeIn(session);

it('a change of the active client is replayed exactly as it was sent', async () => {
  await accepted(alice, session, claim(alice, 'one'));
  await bob.sync();
  await bob.close();
  await accepted(alice, session, release(alice));
  const { result } = await host.reconnect(bob, [session]);
  const actions = alice.envelopes.filter(({ channel, serverSeq }) => channel === session && serverSeq > bob.lastSeen);
  expect(actions).toHaveLength(1);
  expect(result).toEqual({ type: 'replay', actions, missing: [] });
});

describe('an active client', () => {
  it('becomes one, changes its tools and stops being one by itself (B-132, B-133, B-136, B-191)', async () => {
    await accepted(alice, session, claim(alice, 'one'));
    expect(await active()).toEqual([{ clientId: alice.clientId, tools: [{ name: 'one' }] }]);
    await accepted(alice, session, claim(alice, 'two'));
    expect(await active()).toEqual([{ clientId: alice.clientId, tools: [{ name: 'two' }] }]);
    const released = await accepted(alice, session, release(alice));
    expect(released.action).toEqual(release(alice));
    expect(await active()).toEqual([]);
    expect(await reasonFor(alice, session, release(alice))).toContain('not active');
  });

  it('is one of several, each with its own tools', async () => {
    await accepted(alice, session, claim(alice, 'mine'));
    await accepted(bob, session, claim(bob, 'other'));
    await accepted(alice, session, claim(alice, 'mine', 'new'));
    expect((await active()).map(({ clientId, tools }) => [clientId, tools.map(({ name }) => name)])).toEqual([
      [alice.clientId, ['mine', 'new']],
      [bob.clientId, ['other']],
    ]);
    await accepted(alice, session, release(alice));
    expect(await active()).toMatchObject([{ clientId: bob.clientId }]);
  });

  it('that says again what it said is answered alone, and VS Code not at all (V-21)', async () => {
    await accepted(alice, session, claim(alice, 'mine'));
    await bob.action(session, 'session/activeClientSet');
    const before = bob.received.length;
    await accepted(alice, session, claim(alice, 'mine'));
    const vscode = await host.client({ program: 'vscode-web' });
    await vscode.subscribe(session);
    await accepted(vscode, session, claim(vscode, 'tool'));
    const heard = vscode.received.length;
    vscode.dispatch(session, claim(vscode, 'tool'));
    await vscode.sync();
    expect(vscode.received).toHaveLength(heard);
    await bob.sync();
    expect(bob.received.slice(before)).toEqual(['session/activeClientSet']); // that of VS Code, once
  });

  it('is so only in its own name (B-134, OQ-67)', async () => {
    await accepted(alice, session, claim(alice, 'mine'));
    expect(await reasonFor(bob, session, claim(alice, 'not mine'))).toContain('its own name');
    expect(await reasonFor(bob, session, release(alice))).toContain('its own');
    expect(await active()).toEqual([{ clientId: alice.clientId, tools: [{ name: 'mine' }] }]);
  });

  it('stops being one when it disconnects (B-135, B-200)', async () => {
    const other = await host.session(alice);
    await accepted(alice, session, claim(alice));
    await accepted(alice, other.session, claim(alice));
    await alice.close();
    const end = await bob.action(session, 'session/activeClientRemoved');
    expect(end).toEqual(release(alice));

    await accepted(bob, session, claim(bob));
    expect(await activeIn(other.session)).toEqual([]);
  });

  it('stops being one when the host is stopped, and when it dies (B-135)', async () => {
    await accepted(alice, session, claim(alice));
    const crashed = await host.afterCrash();
    const carol = await crashed.client({ subscriptions: [session] });
    expect((await carol.subscribe<SessionState>(session)).activeClients).toEqual([]);
    await accepted(carol, session, claim(carol));
    await crashed.dispose();

    await host.restart();
    bob = await host.client({ subscriptions: [session] });
    expect(await active()).toEqual([]);
    await accepted(bob, session, claim(bob));
  });

  it('given at creation stops being one the same way (B-105)', async () => {
    const created = host.newSessionUri();
    const { activeClient } = claim(alice);
    await alice.request('createSession', { channel: created, activeClient });
    await bob.subscribe(created);
    await alice.close();
    await bob.action(created, 'session/activeClientRemoved');
    await accepted(bob, created, claim(bob));
  });

  it('stops being one also in a session that nobody watches', async () => {
    const unwatched = host.newSessionUri();
    const { activeClient } = claim(alice);
    await alice.request('createSession', { channel: unwatched, activeClient });
    host.host.unloadIdle();
    await host.leave(alice);
    expect(await activeIn(unwatched)).toEqual([]);
    await accepted(bob, unwatched, claim(bob));
  });
});
