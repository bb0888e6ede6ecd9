import { describe, expect, it } from 'vitest';
import { RequestAbandonedError, RpcError } from '../../src/rpc/index.js';
import { FakeTimers, failure, rig, settled, success } from './harness.js';

describe('request', () => {
  it('numbers from 1 and leaves absent params out', () => {
    const { wire, peer } = rig();
    void peer.request('a');
    void peer.request('b', { x: 1 });
    void peer.request('c', [1]);
    peer.notify('n');
    peer.sendRaw('{"raw":true}');
    expect(wire.sent).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"a"}',
      '{"jsonrpc":"2.0","id":2,"method":"b","params":{"x":1}}',
      '{"jsonrpc":"2.0","id":3,"method":"c","params":[1]}',
      '{"jsonrpc":"2.0","method":"n"}',
      '{"raw":true}',
    ]);
  });

  it('is settled by id, in any order', async () => {
    const { wire, peer } = rig();
    const answers = Promise.allSettled([peer.request('a'), peer.request('b'), peer.request('c')]);
    wire.receive({ jsonrpc: '2.0', id: 3, error: { code: -1, message: 'no', data: [1] } });
    wire.receive(success(2, 'B'));
    wire.receive(success(1, null));
    const [a, b, c] = await answers;
    expect(a).toEqual({ status: 'fulfilled', value: null });
    expect(b).toEqual({ status: 'fulfilled', value: 'B' });
    const error: unknown = c?.status === 'rejected' && c.reason;
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -1, message: 'no', data: [1] });
  });

  it('ignores answers to unknown, foreign or already answered ids', async () => {
    const { wire, peer, protocolErrors } = rig();
    const answer = peer.request('a');
    for (const id of ['1', 2, 0, '__proto__', 'constructor']) wire.receive(success(id, 'wrong'));
    wire.receive(success(1, 'right'));
    wire.receive(success(1, 'again'));
    wire.receive(failure(1, -1, 'again'));
    expect(await answer).toBe('right');
    expect([wire.take().length, protocolErrors]).toEqual([1, []]);
  });

  it('rejects params without JSON form and sends nothing', async () => {
    const { wire, peer } = rig();
    await expect(peer.request('a', { big: 1n })).rejects.toThrow(TypeError);
    expect(() => peer.notify('a', { big: 1n })).toThrow(TypeError);
    expect(wire.sent).toEqual([]);
  });

  it('is bounded by maxPendingRequests, 1024 by default', async () => {
    const { wire, peer } = rig();
    for (let count = 0; count < 1024; count++) void peer.request('a');
    const refused = peer.request('b');
    await expect(refused).rejects.toThrow(RequestAbandonedError);
    await expect(refused).rejects.toMatchObject({ why: 'too-many-pending', message: /maxPendingRequests \(1024\)/ });
    wire.receive(success(7, 'ok'));
    const accepted = peer.request('c');
    wire.receive(success(1025, 'ok'));
    expect(await accepted).toBe('ok');
  });
});

describe('timeoutMs', () => {
  it('rejects once the time is over; a late answer is ignored', async () => {
    const timers = new FakeTimers();
    const { wire, peer, protocolErrors } = rig({ timers });
    const answer = peer.request('slow', {}, { timeoutMs: 50 });
    timers.advance(49);
    const early = await Promise.race([answer, settled().then(() => 'still waiting')]);
    expect(early).toBe('still waiting');
    timers.advance(1);
    await expect(answer).rejects.toMatchObject({ why: 'timeout', message: 'request slow got no answer within 50 ms' });
    wire.receive(success(1, 'late'));
    expect(protocolErrors).toEqual([]);
  });

  it('leaves no timer behind after an answer or a close', async () => {
    const timers = new FakeTimers();
    const { wire, peer } = rig({ timers });
    const answers = Promise.allSettled([
      peer.request('a', {}, { timeoutMs: 1 }),
      peer.request('b', {}, { timeoutMs: 1 }),
    ]);
    expect(timers.armed).toBe(2);
    wire.receive(success(1, 1));
    wire.drop();
    expect(timers.armed).toBe(0);
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('without injected timers is an error, and nothing is sent', async () => {
    const { wire, peer } = rig();
    await expect(peer.request('a', {}, { timeoutMs: 1 })).rejects.toThrow('timeoutMs needs the peer option `timers`');
    expect(wire.sent).toEqual([]);
  });
});
