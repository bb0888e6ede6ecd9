import type { Attempt, Person } from '@moorage/host';
import { AhpErrorCodes, JsonRpcErrorCodes, ROOT_URI, requests } from '@moorage/protocol';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { arbitraryOf } from '../../packages/protocol/test/support/arbitrary.js';
import { accepted, reasonFor } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';

let host: TestHost;
const HANDSHAKE = ['initialize', 'reconnect', 'ping'];

describe('authorize', () => {
  afterEach(() => host.dispose({ expectErrors: /authorize\.failed/ }));

  it('is asked who wants to do what, and keeps others from what it refuses', async () => {
    const asked: { person: Person; attempt: Attempt }[] = [];
    host = await TestHost.start({
      authorize: (person, attempt) => {
        asked.push({ person, attempt });
        if (person.credential === 'token') return undefined;
        return attempt.kind === 'action' || attempt.method === 'disposeSession' ? 'You may only watch.' : undefined;
      },
    });
    const owner = await host.client({ program: 'desk' });
    const guest = await host.client({ token: host.otherToken });
    const { session } = await host.session(owner);
    await guest.subscribe(session);
    const rename = { type: 'session/titleChanged', title: 'Mine' };
    expect(await reasonFor(guest, session, rename)).toBe('You may only watch.');
    expect(await guest.refused('disposeSession', { channel: session })).toMatchObject({
      code: AhpErrorCodes.PermissionDenied,
      message: 'You may only watch.',
    });
    await accepted(owner, session, rename);
    expect(asked).toContainEqual({
      person: { credential: 'other', clientId: guest.clientId, program: 'moorage-tests' },
      attempt: { kind: 'action', channel: session, action: rename },
    });
    expect(asked).toContainEqual({
      person: { credential: 'token', clientId: owner.clientId, program: 'desk' },
      attempt: { kind: 'request', channel: session, method: 'subscribe', params: { channel: session } },
    });
  });

  it('refuses every request that there is, before anything is done', async () => {
    host = await TestHost.start({ authorize: () => 'no' });
    const client = await host.client();
    const channels = {
      root: ROOT_URI,
      session: host.newSessionUri(),
      chat: host.newChatUri(),
      terminal: 'ahp-terminal:/6f9a2f6e-6a4f-4a57-9b53-0a5a6a0d2a11',
      automation: 'ahp-automations://',
    };
    for (const [method, { params, channel: rule }] of Object.entries(requests)) {
      if (HANDSHAKE.includes(method)) continue;
      const channel = rule in channels ? channels[rule as keyof typeof channels] : channels.session;
      const [some] = fc.sample(arbitraryOf(params), 1) as object[];
      const { code, message } = await client.refused(method, { ...some, channel });
      // Some are not served by this host at all.
      if (code !== JsonRpcErrorCodes.MethodNotFound)
        expect([method, code, message]).toEqual([method, AhpErrorCodes.PermissionDenied, 'no']);
    }
  });

  it('decides what a handshake subscribes to', async () => {
    let isOpen = true;
    host = await TestHost.start({
      authorize: (_person, { channel }) => (isOpen || channel === ROOT_URI ? undefined : 'closed'),
    });
    const client = await host.client();
    const { session } = await host.session(client);
    isOpen = false;
    const again = await host.rawClient();
    const params = { channel: ROOT_URI, clientId: again.clientId } as const;
    const subscriptions = [ROOT_URI, session];
    const { snapshots } = await again.request('initialize', {
      ...params,
      protocolVersions: ['1.0.0'],
      initialSubscriptions: subscriptions,
    });
    expect(snapshots.map(({ resource }) => resource)).toEqual([ROOT_URI]);
    const { result } = await host.reconnect(client, subscriptions);
    expect(result).toMatchObject({ type: 'replay', missing: [session] });
  });

  it('refuses when it fails, and says so in the log', async () => {
    host = await TestHost.start({
      authorize: () => {
        throw new Error('no directory');
      },
    });
    const client = await host.client();
    const { message } = await client.refused('listSessions', { channel: ROOT_URI });
    expect(message).toBe('the host could not decide whether this is allowed');
    expect(host.errors.join()).toContain('no directory');
  });
});
