import { ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { RawSocket } from '../support/raw-socket.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let client: WireClient;
beforeEach(async () => {
  host = await TestHost.start();
  client = await host.client();
});
afterEach(() => host.dispose());

describe('input that is small to send and large to take', () => {
  it('is never unpacked: no compression is agreed to', async () => {
    const headers = { Authorization: `Bearer ${host.token}` };
    const socket = new WebSocket(host.url, { headers, perMessageDeflate: true });
    await new Promise((resolve) => socket.once('open', resolve));
    expect(socket.extensions).toBe('');
    socket.close();
  });

  it('nests only so deep, and the connection goes on', async () => {
    const raw = await RawSocket.open(host.url, host.token);
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      raw.send(
        `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${open.repeat(100_000)}1${close.repeat(100_000)}}}`,
      );
      expect(await raw.next()).toMatchObject({ id: null, error: { code: -32600 } });
    }
    raw.send({ jsonrpc: '2.0', id: 2, method: 'ping', params: { channel: ROOT_URI } });
    expect(await raw.next()).toMatchObject({ id: 2, result: null });
    await raw.close();
  });

  it('in long lists is answered or refused while others are served', async () => {
    const raw = await RawSocket.open(host.url, host.token);
    const many = Array.from({ length: 200_000 }, (_, index) => `ahp-session:/none-${index}`);
    raw.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { channel: ROOT_URI, clientId: 'greedy', protocolVersions: ['1.0.0'], initialSubscriptions: many },
    });
    const answer = raw.next();
    await client.sync();
    expect(await answer).toMatchObject({ id: 1 });
    await client.sync();
    await raw.close();
  });

  it('as a glob that would make a matcher explode is refused or harmless', async () => {
    const bombs = [
      '{a,b}'.repeat(40),
      '**/'.repeat(5000),
      `${'*a'.repeat(2000)}b`,
      '('.repeat(50_000),
      '{'.repeat(5000),
      '[!'.repeat(5000),
    ];
    for (const includes of bombs) {
      const params = { channel: ROOT_URI, uri: host.workspaceUri, recursive: true, includes: [includes] };
      await client.peer.request('createResourceWatch', params).catch(() => {});
      await client.sync();
    }
  });
});
