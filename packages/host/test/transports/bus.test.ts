import type { CloseInfo } from '@moorage/protocol';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryBroker } from '../../src/adapters/bus-memory/index.js';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { dialHost, listenBus } from '../../src/adapters/transport-bus/index.js';
import type { Bus } from '../../src/ports/bus.js';
import type { Incoming } from '../../src/ports/index.js';
import { describeBus } from '../../src/testing/bus-contract.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { describeTransport, type FarEnd } from '../../src/testing/transport-contract.js';

describeBus('bus-memory', async () => {
  const broker = createMemoryBroker();
  return {
    connect: async () => broker.connect(),
    stop: async () => broker.stop(),
    restart: async () => broker.restart(),
    end: async () => {},
  };
});

describeTransport('transport-bus', async () => {
  const broker = createMemoryBroker();
  const waiting: ((client: Incoming) => void)[] = [];
  const listener = listenBus({
    bus: broker.connect(),
    host: 'h1',
    onClient: (client) => waiting.shift()?.(client),
    clock: nodeClock,
  });
  const gateway = broker.connect();
  return {
    carriesCloseCode: true,
    stop: () => listener.close(),
    connect: async () => {
      const incoming = new Promise<Incoming>((resolve) => waiting.push(resolve));
      const far = await farEnd(gateway, 'h1');
      return { near: (await incoming).transport, far };
    },
  };
});

/** A gateway's end, written from the description of the packets in docs/FLEET.md. */
async function farEnd(bus: Bus, host: string): Promise<FarEnd> {
  const id = crypto.randomUUID();
  const received: string[] = [];
  const held: Buffer[] = [];
  let [paused, taken, sent, stream] = [false, 0, 0, Buffer.alloc(0)];
  let resolveClosed = (_: CloseInfo) => {};
  const closed = new Promise<CloseInfo>((resolve) => {
    resolveClosed = resolve;
  });
  const publish = (bytes: Uint8Array) => bus.publish(`ahp.h.${host}.c.${id}.in`, bytes);
  const take = (packet: Buffer) => {
    if (packet[0] === 3) {
      const [code, reason] = JSON.parse(packet.subarray(1).toString());
      resolveClosed({ ...(code !== null && { code }), ...(reason !== '' && { reason }) });
    }
    if (packet[0] !== 1) return;
    taken += packet.length - 5;
    const ack = Buffer.alloc(9, 2);
    ack.writeDoubleBE(taken, 1);
    publish(ack);
    stream = Buffer.concat([stream, packet.subarray(5)]);
    while (stream.length >= 4 && stream.length >= 4 + stream.readUInt32BE()) {
      const end = 4 + stream.readUInt32BE();
      received.push(stream.subarray(4, end).toString());
      stream = stream.subarray(end);
    }
  };
  bus.subscribe(`ahp.h.${host}.c.${id}.out`, ({ body }) =>
    paused ? held.push(Buffer.from(body)) : take(Buffer.from(body)),
  );
  const open = Buffer.from(JSON.stringify({ connection: id, user: ALICE }));
  expect(Buffer.from(await bus.request(`ahp.h.${host}.enter`, open, 30_000)).toString()).toBe('{}');
  return {
    received,
    closed,
    send: (text) => {
      const message = Buffer.from(text);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(message.length);
      const framed = Buffer.concat([length, message]);
      for (let at = 0; at < framed.length; at += 60_000) {
        const header = Buffer.alloc(5, 1);
        header.writeUInt32BE(sent++, 1);
        publish(Buffer.concat([header, framed.subarray(at, at + 60_000)]));
      }
    },
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      for (const packet of held.splice(0)) take(packet);
    },
    close: () => publish(Buffer.from('\x03[1000,""]')),
    cut: () => publish(Buffer.from('\x09')),
  };
}

const ALICE = { name: 'alice', role: 'steer' } as const;

describe('a connection over the bus', () => {
  function fleet(clock: Pick<ManualClock, 'setTimeout' | 'clearTimeout'> = nodeClock) {
    const broker = createMemoryBroker();
    const bus = broker.connect();
    const clients: Incoming[] = [];
    const onClient = (client: Incoming) => {
      clients.push(client);
      client.transport.onMessage((text) => client.transport.send(text.toUpperCase()));
    };
    const listener = listenBus({ bus, host: 'h1', onClient, clock });
    const gateway = broker.connect();
    const dial = (from: object = {}, limits = {}) =>
      dialHost({
        bus: gateway,
        host: 'h1',
        from: { connection: crypto.randomUUID(), user: ALICE, ...from },
        clock,
        limits,
      });
    return { broker, bus, gateway, clients, listener, dial };
  }

  it('carries who the client is, and what both sides say', async () => {
    const { clients, dial, listener } = fleet();
    const host = await dial({ reachedAs: 'gateway.example' });
    const said: string[] = [];
    host.onMessage((text) => said.push(text));
    host.resume();
    host.send('"hello"');
    await vi.waitFor(() => expect(said).toEqual(['"HELLO"']));
    expect(clients).toMatchObject([{ credential: 'user:alice', vouched: ALICE, reachedAs: 'gateway.example' }]);
    const closed = new Promise((resolve) => host.onClose(resolve));
    await listener.close();
    expect(await closed).toEqual({ code: 1001, reason: 'the host stops' });
    await expect(dial()).rejects.toMatchObject({ kind: 'unserved' });
  });

  it('carries answers that are longer than what a client may send', async () => {
    const { clients, dial } = fleet();
    const host = await dial();
    const lengths: number[] = [];
    host.onMessage(({ length }) => lengths.push(length));
    host.resume();
    clients[0]?.transport.send(JSON.stringify('x'.repeat(17 * 1024 * 1024)));
    await vi.waitFor(() => expect(lengths).toEqual([17 * 1024 * 1024 + 2]), { timeout: 30_000 });
  });

  it('is refused when the request makes no sense, or its id is in use', async () => {
    const { dial, clients } = fleet();
    await expect(dial({ connection: 'a.b' })).rejects.toThrow('not understood');
    for (const user of [{ name: '', role: 'view' }, { name: 'eve', role: 'god' }, { name: 'eve' }, { role: 'admin' }])
      await expect(dial({ user })).rejects.toThrow('not understood');
    // As gateways asked before there were roles: nobody gets in as somebody who may do everything.
    await expect(dial({ user: undefined, credential: 'user:eve' })).rejects.toThrow('upgrade the gateways');
    await dial({ connection: 'one' });
    await expect(dial({ connection: 'one' })).rejects.toThrow('there is such a connection');
    expect(clients.length).toBe(1);
  });

  it('ends at both sides when a message between them is lost', async () => {
    const { gateway, clients, dial } = fleet();
    const host = await dial({ connection: 'one' });
    const ends: unknown[] = [];
    host.onClose((info) => ends.push(info));
    host.resume();
    clients[0]?.transport.onClose((info) => ends.push(info));
    gateway.publish('ahp.h.h1.c.one.in', Buffer.from([1, 0, 0, 0, 7, 65]));
    const lost = { code: 1013, reason: 'a message between the machines was lost' };
    await vi.waitFor(() => expect(ends).toEqual([lost, lost]));
  });

  it('ends when the bus is down, and can be had again when it is up', async () => {
    const { broker, clients, dial } = fleet();
    const host = await dial();
    const ends: unknown[] = [];
    host.onClose((info) => ends.push(info));
    clients[0]?.transport.onClose((info) => ends.push(info));
    broker.stop();
    await vi.waitFor(() => expect(ends.length).toBe(2));
    await expect(dial()).rejects.toMatchObject({ kind: 'down' });
    broker.restart();
    await dial();
    expect(clients.length).toBe(2);
  });

  it('ends when the other machine is silent, and not while it gives signs of life', async () => {
    const clock = new ManualClock();
    const { gateway, clients, dial } = fleet(clock);
    const host = await dial();
    host.resume();
    let [hostEnds, clientEnds] = [0, 0];
    host.onClose(() => hostEnds++);
    clients[0]?.transport.onClose(() => clientEnds++);
    for (let n = 0; n < 10; n++) {
      clock.advance(5_000);
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    }
    expect([hostEnds, clientEnds]).toEqual([0, 0]);
    await gateway.close(); // the gateway is gone, and nobody says so
    for (let n = 0; n < 4; n++) clock.advance(5_000);
    await vi.waitFor(() => expect(clientEnds).toBe(1));
  });

  it('holds no more for a client that does not read than the window', async () => {
    const { clients, dial } = fleet();
    const host = await dial({}, { windowBytes: 1024 * 1024 });
    const text = JSON.stringify('x'.repeat(100_000));
    for (let n = 0; n < 30; n++) clients[0]?.transport.send(text); // the host's end was opened with the default window
    expect(clients[0]?.transport.backlog).toBeGreaterThan(1_900_000);
    const received: string[] = [];
    host.onMessage((message) => received.push(message));
    host.resume();
    await vi.waitFor(() => expect(received.length).toBe(30));
    expect(clients[0]?.transport.backlog).toBe(0);
  });

  it('takes no message that is too long, and no packet that is none', async () => {
    const { gateway, clients, dial } = fleet();
    const [a, b] = [await dial({ connection: 'a' }), await dial({ connection: 'b' })];
    const ends: unknown[] = [];
    for (const host of [a, b]) {
      host.onClose((info) => ends.push(info));
      host.resume();
    }
    gateway.publish('ahp.h.h1.c.a.in', Buffer.from([1, 0, 0, 0, 0, 255, 255, 255, 255]));
    gateway.publish('ahp.h.h1.c.b.in', Buffer.from('nonsense'));
    await vi.waitFor(() => expect(ends.length).toBe(2));
    expect(ends).toContainEqual({ code: 1009, reason: 'the message is too long' });
    expect(ends).toContainEqual({ code: 1002, reason: 'not a packet' });
    expect(clients.length).toBe(2);
  });
});
