import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPeer, createTransportPair, type PeerOptions, RpcError } from '../../src/rpc/index.js';
import { rig, settled } from './harness.js';

const nothing: PeerOptions = { onRequest: () => null, onNotification: () => {} };

describe('any text', () => {
  const member = fc.oneof(fc.jsonValue(), fc.constantFrom('2.0', 1, '1', null, {}, [], '__proto__'));
  const nearMiss = fc
    .record(
      { jsonrpc: member, id: member, method: member, params: member, result: member, error: member },
      {
        requiredKeys: [],
      },
    )
    .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
  const frame = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    fc.json(),
    nearMiss,
    nearMiss.chain((text) => fc.nat(text.length).map((end) => text.slice(0, end))),
  );

  it('never throws, never closes and gets at most one answer, which is never answered itself', async () => {
    await fc.assert(
      fc.asyncProperty(frame, async (text) => {
        const { wire, peer } = rig();
        wire.receive(text);
        await settled();
        expect(peer.closed).toBe(false);
        expect(wire.sent.length).toBeLessThanOrEqual(1);
        const other = rig();
        for (const answer of wire.sent) other.wire.receive(answer);
        expect(other.wire.sent).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('two peers', () => {
  it('asking each other at random all get their own answer exactly once', async () => {
    const step = fc.record({
      fromLeft: fc.boolean(),
      ticks: fc.nat(5),
      outcome: fc.constantFrom('ok', 'fail', 'sync'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const [left, right] = createTransportPair();
        const protocolErrors: string[] = [];
        const options: PeerOptions = {
          onRequest: (method, params) => {
            const [index, ticks] = params as [number, number];
            if (method === 'sync') return index;
            return afterTicks(ticks).then(() => {
              if (method === 'fail') throw new RpcError(index, 'failed');
              return index;
            });
          },
          onNotification: () => {},
          onProtocolError: (message) => void protocolErrors.push(message),
        };
        const peers = { left: createPeer(left, options), right: createPeer(right, options) };
        const settlements = steps.map(() => 0);
        const seen: (string | undefined)[] = steps.map(() => undefined);
        for (const [index, { fromLeft, ticks, outcome }] of steps.entries()) {
          const settle = (text: string) => {
            settlements[index] = (settlements[index] ?? 0) + 1;
            seen[index] = text;
          };
          void (fromLeft ? peers.left : peers.right).request(outcome, [index, ticks]).then(
            (result) => settle(`result ${result}`),
            (error: unknown) => settle(error instanceof RpcError ? `error ${error.code}` : 'wrong error'),
          );
          await afterTicks(ticks % 2);
        }
        await settled();
        expect(settlements).toEqual(steps.map(() => 1));
        expect(seen).toEqual(steps.map(({ outcome }, index) => `${outcome === 'fail' ? 'error' : 'result'} ${index}`));
        expect(protocolErrors).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('closed at a random moment leave no request unsettled', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(20), fc.nat(20), async (requests, ticks) => {
        const [left, right] = createTransportPair();
        const client = createPeer(left, nothing);
        const server = createPeer(right, nothing);
        const all = Promise.allSettled(Array.from({ length: requests }, () => client.request('m')));
        await afterTicks(ticks);
        server.close(1001);
        const outcomes = await all;
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'TransportClosedError' });
          else expect(outcome.value).toBe(null);
        }
      }),
    );
  });

  it('nested calls back and forth resolve', async () => {
    const [left, right] = createTransportPair();
    const countdown = (self: () => { request(method: string, params: object): Promise<unknown> }): PeerOptions => ({
      ...nothing,
      onRequest: async (_method, params) => {
        const [remaining] = params as [number];
        return remaining === 0 ? 0 : 1 + Number(await self().request('down', [remaining - 1]));
      },
    });
    const a = createPeer(
      left,
      countdown(() => a),
    );
    const b = createPeer(
      right,
      countdown(() => b),
    );
    expect(await a.request('down', [100])).toBe(100);
  });
});

async function afterTicks(ticks: number): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) await null;
}
