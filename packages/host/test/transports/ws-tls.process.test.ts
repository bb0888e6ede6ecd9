import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TlsOptions } from '../../src/adapters/transport-ws/index.js';
import type { ClientTransport } from '../../src/ports/index.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { describeTransport, type FarEnd } from '../../src/testing/transport-contract.js';
import { startHost, type TestHost, TOKEN } from './support/host.js';
import { soon } from './support/waiting.js';
import { connectWs } from './support/ws-client.js';

const tls = selfSigned();
// No certificate can be made without openssl; everything else about the listener is tested without TLS too.
const withTls = describe.skipIf(tls === undefined);
const trusting = { rejectUnauthorized: false, headers: { authorization: `Bearer ${TOKEN}` } };

withTls('TLS', () => {
  describeTransport('transport-ws over TLS', async () => {
    const host = await startHost(tls ? { tls } : {});
    return {
      carriesCloseCode: true,
      stop: () => host.close(),
      connect: async () => {
        const incoming = host.next();
        const far = await connectWs(host.address, trusting);
        return { near: (await incoming).transport, far };
      },
    };
  });

  describe('a listener', () => {
    let host: TestHost;
    const timers = new ManualClock();
    beforeAll(async () => {
      host = await startHost({ ...(tls && { tls }), limits: { maxUnprovenSockets: 3 }, clock: timers });
    });
    afterAll(() => host.close());

    const connected = async (options: { autoPong?: boolean } = {}) => {
      const incoming = host.next();
      const far = await connectWs(host.address, { ...trusting, ...options });
      return { near: (await incoming).transport, far };
    };
    const exchange = async (near: ClientTransport, far: FarEnd) => {
      const heard = new Promise<string>((resolve) => near.onMessage(resolve));
      far.send('"here"');
      expect(await heard).toBe('"here"');
    };

    it('says wss, and takes its own origin with https only', async () => {
      expect(host.address).toBe(`wss://127.0.0.1:${host.port}/`);
      const own = `https://127.0.0.1:${host.port}`;
      (await connectWs(host.address, { ...trusting, origin: own })).cut();
      const plain = connectWs(host.address, { ...trusting, origin: own.replace('https', 'http') });
      await expect(plain).rejects.toThrow('403');
      await expect(connectWs(host.address, { rejectUnauthorized: false, headers: {} })).rejects.toThrow('401');
    });

    it('cuts sockets that never finish the TLS handshake', async () => {
      const limits = { headersTimeoutMs: 200, requestTimeoutMs: 200, checkIntervalMs: 20 };
      const hasty = await startHost({ ...(tls && { tls }), limits }); // a busy machine may take longer to shake hands
      const socket = connect(hasty.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      await new Promise((resolve) => socket.on('close', resolve));
      await hasty.close();
    });

    it('counts sockets without a token apart from clients', async () => {
      const clients = [];
      for (let index = 0; index < 6; index++) clients.push(await connected());
      for (const { near, far } of clients) await exchange(near, far); // all are still served
      for (const { far } of clients) far.cut();
    });

    it('finds dead peers', async () => {
      const { near, far: client } = await connected({ autoPong: false });
      let pings = 0;
      client.ws.on('ping', () => pings++);
      const beat = async (expected: number) => {
        timers.advance(30_000);
        await soon(() => expect(pings).toBe(expected));
      };
      await beat(1);
      await beat(2);
      await exchange(near, client); // a sign of life
      await beat(3);
      await beat(4);
      timers.advance(30_000);
      expect((await client.closed).code).toBe(1006);
    });
  });
});

function selfSigned(): TlsOptions | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  try {
    execFileSync(
      process.env.OPENSSL ?? 'openssl',
      [...request, '-subj', '/CN=localhost', '-keyout', key, '-out', cert],
      { stdio: 'ignore' },
    );
    return { cert: readFileSync(cert), key: readFileSync(key) };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
