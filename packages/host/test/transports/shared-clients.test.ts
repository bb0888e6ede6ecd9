import type { CloseInfo } from '@moorage/protocol';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryBroker } from '../../src/adapters/bus-memory/index.js';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { dialHost, listenBus } from '../../src/adapters/transport-bus/index.js';
import { Crowd } from '../../src/core/crowd.js';
import type { Bus } from '../../src/ports/bus.js';
import type { ClientTransport, FrameBatch, Incoming, SharedPlace } from '../../src/ports/transport.js';
import { openSharedClients, SharedClients, type SharedSeat } from '../../src/shared-clients.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const ALICE = { name: 'alice', role: 'steer' } as const;

/** A client that notes what it gets. */
function client() {
  const got: string[] = [];
  const closed: CloseInfo[] = [];
  const listeners: ((info: CloseInfo) => void)[] = [];
  let drained = () => {};
  const transport: ClientTransport & { backlog: number } = {
    send: (text: string) => void got.push(text),
    sendBatch: ({ frames }: FrameBatch) => void got.push(...frames),
    close: (code?: number, reason?: string) => {
      if (closed.length > 0) return;
      closed.push({ ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) });
      for (const listener of listeners.splice(0)) listener({});
    },
    onMessage: () => {},
    onClose: (listener: (info: CloseInfo) => void) => void listeners.push(listener),
    onDrain: (listener: () => void) => {
      drained = listener;
    },
    backlog: 0,
  };
  return { transport, got, closed, drain: () => drained() };
}

/** A host, and a gateway with some clients that share. */
async function rig(
  count: number,
  around: (bus: Bus) => Bus = (bus) => bus,
  clock: Pick<ManualClock, 'setTimeout' | 'clearTimeout'> = nodeClock,
) {
  const broker = createMemoryBroker();
  const incoming: Incoming[] = [];
  const onClient = (one: Incoming) => incoming.push(one);
  const bus = broker.connect();
  const listener = listenBus({ bus, host: 'h1', onClient, clock });
  const gateway = around(broker.connect());
  const shared = await openSharedClients({ bus: gateway, host: 'h1', clock });
  const clients = Array.from({ length: count }, client);
  const seats: SharedSeat[] = [];
  const connect = async ({ transport }: ReturnType<typeof client>) => {
    const seat = shared.seat(transport);
    seats.push(seat);
    const from = { connection: crypto.randomUUID(), user: ALICE, share: seat.share };
    const dialled = await dialHost({ bus: gateway, host: 'h1', from, clock });
    dialled.onMessage(seat.own);
    dialled.onClose(seat.end);
    dialled.resume();
  };
  for (const one of clients) await connect(one);
  const places = incoming.map(({ shared: place }) => place as SharedPlace);
  return { broker, bus, gateway, listener, shared, clients, incoming, places, seats };
}

/** A gateway's bus whose subjects are heard in an order of the test's. */
function shuffled(bus: Bus, next: () => number) {
  const waiting = new Map<string, (() => void)[]>();
  let isOn = false;
  const flush = () => {
    for (;;) {
      const full = [...waiting.values()].filter((queue) => queue.length > 0);
      if (full.length === 0) return;
      full[next() % full.length]?.shift()?.();
    }
  };
  const held: Bus = Object.create(bus, {
    subscribe: {
      value: (pattern: string, listener: (message: { subject: string; body: Uint8Array }) => void) =>
        bus.subscribe(pattern, (message) => {
          if (!isOn) return listener(message);
          const queue = waiting.get(pattern) ?? [];
          queue.push(() => listener(message));
          waiting.set(pattern, queue);
        }),
    },
  });
  return { bus: held, flush, hold: () => (isOn = true) };
}

const STEP = fc.record({
  what: fc.constantFrom('own', 'frame', 'join', 'leave'),
  client: fc.nat(2),
  group: fc.nat(1),
});

describe('clients that share a connection to their host', () => {
  it('get what all get and what each gets alone in the order of the host, in whatever order it travels', async () => {
    const arrival = fc.array(fc.nat(), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 60 }), arrival, async (steps, order) => {
        let at = 0;
        let hold = () => {};
        let flush = () => {};
        const { incoming, places, clients } = await rig(3, (bus) => {
          const held = shuffled(bus, () => order[at++ % order.length] ?? 0);
          ({ hold, flush } = held);
          return held.bus;
        });
        hold();
        const expected = clients.map((): string[] => []);
        const groups = [new Set<number>(), new Set<number>()];
        const way = places[0]?.way;
        const numbers = groups.map(() => way?.newGroup() ?? 0);
        for (const [index, { what, client: who, group }] of steps.entries()) {
          const [number = 0, members, place] = [numbers[group], groups[group], places[who]];
          if (what === 'own') {
            incoming[who]?.transport.send(`"own ${index}"`);
            place?.mark();
            expected[who]?.push(`"own ${index}"`);
          } else if (what === 'frame') {
            way?.send(number, `"frame ${index}"`);
            for (const member of members ?? []) expected[member]?.push(`"frame ${index}"`);
          } else if (what === 'join') {
            way?.join(number, place?.client ?? 0);
            members?.add(who);
          } else {
            way?.leave(number, place?.client ?? 0);
            members?.delete(who);
          }
          if (index % 7 === 0) await Promise.resolve(); // so that they travel in several messages
        }
        for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
        flush();
        expect(clients.map(({ got }) => got)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('are closed after what their host said to them before, also if its place is said later', async () => {
    const { places, clients, seats } = await rig(1);
    const [one] = clients;
    seats[0]?.own('"sorry"');
    seats[0]?.end({ code: 1008, reason: 'no' });
    expect(one).toMatchObject({ got: [], closed: [] });
    places[0]?.mark();
    await vi.waitFor(() => expect(one).toMatchObject({ got: ['"sorry"'], closed: [{ code: 1008, reason: 'no' }] }));
  });

  it('cost their host one message, however many they are', async () => {
    const { bus, clients, incoming } = await rig(50);
    let messages = 0;
    const publish = bus.publish.bind(bus);
    bus.publish = (subject, body) => {
      messages++;
      publish(subject, body);
    };
    const crowd = new Crowd(incoming[0]?.shared?.way as SharedPlace['way'], (message) => [message]);
    const uri = 'ahp-chat:/x';
    for (const { shared } of incoming) crowd.join({ shared } as never, uri);
    crowd.deliver({ messages: [{ to: uri, frame: '"hello"' }] } as never);
    await vi.waitFor(() => expect(clients.map(({ got }) => got)).toEqual(clients.map(() => ['"hello"'])));
    expect(messages).toBe(1); // with all that were said in one go: that each follows the channel, and the message
  });

  it('are bounded one by one: the host knows who is behind, and who takes too little is closed', async () => {
    const { clients, places } = await rig(2);
    const [slow, quick] = clients as [ReturnType<typeof client>, ReturnType<typeof client>];
    const way = places[0]?.way as SharedPlace['way'];
    const group = way.newGroup();
    for (const place of places) way.join(group, place.client);
    slow.transport.backlog = 2 * 1024 * 1024;
    const frame = JSON.stringify('x'.repeat(1024 * 1024));
    way.send(group, frame);
    await vi.waitFor(() => expect(places.map(({ isBehind }) => isBehind)).toEqual([true, false]));
    const drained = places[0]?.drained();
    slow.transport.backlog = 0;
    slow.drain();
    await drained;
    expect(places[0]?.isBehind).toBe(false);
    expect(slow.got).toEqual([frame]);
    slow.transport.backlog = 2 * 1024 * 1024;
    for (let sent = 0; sent < 9; sent++) way.send(group, frame);
    await vi.waitFor(() => expect(quick.got.length).toBe(10));
    expect(slow.closed).toEqual([{ code: 1013, reason: 'too slow; reconnect to resume' }]);
    expect(quick.closed).toEqual([]);
  });

  it('are closed when the connection is lost, so that they come back for what they missed', async () => {
    const { clients, incoming, broker } = await rig(2);
    const hostSide = incoming.map(({ transport }) => new Promise<CloseInfo>((resolve) => transport.onClose(resolve)));
    broker.stop();
    await Promise.all(hostSide);
    expect(clients.map(({ closed }) => closed.length)).toEqual([1, 1]);
  });

  it('are closed when the host says what makes no sense', async () => {
    const said: ((text: string) => void)[] = [];
    const ended: ((info: CloseInfo) => void)[] = [];
    const host = {
      onMessage: (listener: (text: string) => void) => said.push(listener),
      onClose: (listener: (info: CloseInfo) => void) => ended.push(listener),
      close: (code: number) => {
        for (const listener of ended) listener({ code });
      },
      resume: () => {},
      send: () => {},
    };
    for (const text of ['', '1', '+1', '-a 1', '+1 -1', '=', '=1 x', 'x {}', '99999999999999999 {}']) {
      const one = client();
      new SharedClients('way', host as never, nodeClock).seat(one.transport);
      said.at(-1)?.(text);
      expect(one.closed, text).toHaveLength(1);
    }
  });

  it('end at the host when the gateway is silent, and not while it gives signs of life', async () => {
    const clock = new ManualClock();
    const { gateway, incoming } = await rig(2, (bus) => bus, clock);
    const ends: CloseInfo[] = [];
    for (const { transport } of incoming) transport.onClose((info) => ends.push(info));
    for (let beat = 0; beat < 30; beat++) {
      clock.advance(5_000);
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    }
    expect(ends).toEqual([]);
    await gateway.close(); // it is gone, and nobody says so
    for (let beat = 0; beat < 4; beat++) clock.advance(5_000);
    await vi.waitFor(() => expect(ends.map(({ code }) => code)).toEqual([1013, 1013]));
  });

  it('are refused by a host that was started anew, and knows nothing of the connection', async () => {
    const { listener, bus, gateway, shared } = await rig(0);
    await listener.close();
    listenBus({ bus, host: 'h1', onClient: () => {}, clock: nodeClock });
    const late = client();
    const { share } = shared.seat(late.transport);
    const from = { connection: 'c1', user: ALICE, share: { ...share, way: 'unknown' } };
    const dialled = dialHost({ bus: gateway, host: 'h1', from, clock: nodeClock });
    await expect(dialled).rejects.toMatchObject({ name: 'WayLostError' });
  });
});
