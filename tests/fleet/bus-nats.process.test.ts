import { connectNatsBus } from '@moorage/fleet';
import { describeBus } from '@moorage/host/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasNats, startNats } from '../support/fleet/nats-server.js';

describe.skipIf(!hasNats())('with a real NATS server', () => {
  describeBus('bus-nats', async () => {
    const server = await startNats();
    return {
      connect: () => connectNatsBus({ servers: [server.url], name: 'test' }),
      stop: server.kill,
      restart: server.restart,
      end: server.end,
    };
  });
});

it('says where it cannot connect to', async () => {
  const options = { servers: ['nats://127.0.0.1:1'], name: 'test' };
  await expect(connectNatsBus(options)).rejects.toThrow(/cannot connect to the bus at nats:\/\/127.0.0.1:1: /);
});

it.skipIf(!hasNats())('is not used without TLS where the address asks for it', async () => {
  const server = await startNats();
  onTestFinished(server.end);
  const servers = [server.url.replace('nats:', 'tls:')];
  await expect(connectNatsBus({ servers, name: 'test' })).rejects.toThrow(/cannot connect to the bus/);
});
