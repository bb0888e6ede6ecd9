import { describe, expect, it } from 'vitest';
import { createPeer, createTransportPair, TransportClosedError } from '../../src/rpc/index.js';
import { request, rig, settled, success } from './harness.js';

describe('peer close', () => {
  it('closes the transport once, rejects pending requests and tells the owner once', async () => {
    const closes: unknown[] = [];
    const { wire, peer } = rig({ onClose: (info) => void closes.push(info) });
    const pending = peer.request('a');
    expect(peer.closed).toBe(false);
    peer.close(1000, 'bye');
    peer.close(1001, 'again');
    wire.drop({ code: 1006 });
    expect(peer.closed).toBe(true);
    expect(wire.closes).toEqual([{ code: 1000, reason: 'bye' }]);
    expect(closes).toEqual([{ code: 1000, reason: 'bye' }]);
    await expect(pending).rejects.toThrow(new TransportClosedError({ code: 1000, reason: 'bye' }));
  });

  it('by the other side rejects pending and later requests with its reason', async () => {
    const { wire, peer } = rig();
    const pending = peer.request('a');
    wire.drop({ code: 1001 });
    expect(peer.closed).toBe(true);
    const expected = { name: 'TransportClosedError', message: 'transport closed', info: { code: 1001 } };
    await expect(pending).rejects.toMatchObject(expected);
    await expect(peer.request('b')).rejects.toMatchObject(expected);
  });

  it('silences both directions', async () => {
    const { wire, peer, notifications, protocolErrors } = rig();
    const pending = peer.request('a');
    wire.take();
    peer.close();
    wire.receive(request(1));
    wire.receive(success(1, 'late'));
    wire.receive({ jsonrpc: '2.0', method: 'n' });
    wire.receive('nonsense');
    peer.notify('n');
    peer.sendRaw('x');
    expect([wire.sent, notifications, protocolErrors]).toEqual([[], [], []]);
    await expect(pending).rejects.toThrow(TransportClosedError);
  });

  it('inside a handler drops that handler’s answer', () => {
    const { wire, peer } = rig({
      onRequest: () => {
        peer.close();
        return 1;
      },
    });
    wire.receive(request(1));
    expect(wire.sent).toEqual([]);
  });
});

describe('createTransportPair', () => {
  const listen = () => {
    const [left, right] = createTransportPair();
    const log: string[] = [];
    left.onMessage((text) => log.push(`left got ${text}`));
    right.onMessage((text) => log.push(`right got ${text}`));
    left.onClose((info) => log.push(`left closed ${JSON.stringify(info)}`));
    right.onClose((info) => log.push(`right closed ${JSON.stringify(info)}`));
    return { left, right, log };
  };

  it('delivers in order, never within send', async () => {
    const { left, right, log } = listen();
    left.send('1');
    right.send('a');
    left.send('2');
    expect(log).toEqual([]);
    await settled();
    expect(log).toEqual(['right got 1', 'left got a', 'right got 2']);
  });

  it('closes both ends once, after what was sent before', async () => {
    const { left, right, log } = listen();
    left.send('last words');
    left.close(1000, 'bye');
    left.send('dropped');
    right.send('dropped too');
    left.close(1001);
    await settled();
    right.send('dropped');
    right.close();
    await settled();
    const info = '{"code":1000,"reason":"bye"}';
    expect(log).toEqual(['right got last words', `left closed ${info}`, `right closed ${info}`]);
  });

  it('closed from both ends at once still closes each exactly once', async () => {
    const { left, right, log } = listen();
    left.close(1);
    right.close(2);
    await settled();
    expect(log).toHaveLength(2);
  });

  it('tells a late close listener, so a peer on a dead transport knows', async () => {
    const [left] = createTransportPair();
    left.close(1000);
    await settled();
    const peer = createPeer(left, { onRequest: () => null, onNotification: () => {} });
    await settled();
    expect(peer.closed).toBe(true);
  });
});
