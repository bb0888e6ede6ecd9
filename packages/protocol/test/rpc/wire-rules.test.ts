import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/rpc/index.js';
import { failure, request, rig, success } from './harness.js';

describe('malformed frames', () => {
  it.each([
    ['nonsense', failure(null, -32700, 'parse error')],
    ['[]', failure(null, -32600, 'batches are not supported')],
    ['{"jsonrpc":"2.0","id":null,"method":"m"}', failure(null, -32600, 'id must be a string or a finite number')],
    ['{"jsonrpc":"2.0","id":5,"method":1}', failure(5, -32600, 'method must be a string')],
    ['['.repeat(10_000), failure(null, -32600, 'nested deeper than maxJsonDepth (128)')],
  ])('%.50s is answered, reported and survived', (text, answer) => {
    const { wire, protocolErrors } = rig();
    wire.receive(text);
    wire.receive(request(1, 'm', []));
    expect(wire.take()).toEqual([answer, success(1, [])]);
    expect(protocolErrors).toHaveLength(1);
    expect(wire.closes).toEqual([]);
  });

  it.each([
    ['{"id":1,"result":1}', 'invalid response: -32600 jsonrpc must be "2.0"'],
    ['{"jsonrpc":"2.0","id":1,"error":7}', 'invalid response: -32600 malformed error'],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}', 'our frame was rejected: -1 no'],
  ])('%s is reported but never answered', (text, report) => {
    const { wire, protocolErrors } = rig();
    wire.receive(text);
    expect(wire.sent).toEqual([]);
    expect(protocolErrors).toEqual([report]);
  });

  it('a report quotes no more than the start of a foreign message', () => {
    const { wire, protocolErrors } = rig();
    wire.receive(failure(null, -1, 'x'.repeat(1_000_000)));
    expect(protocolErrors[0]?.length).toBeLessThan(300);
  });
});

describe('frame length', () => {
  it('of 100 MB closes with 1009 and rejects what is pending', async () => {
    const closes: unknown[] = [];
    const { wire, peer } = rig({ onClose: (info) => void closes.push(info) });
    const pending = peer.request('a');
    wire.take();
    wire.receive('x'.repeat(100 * 1024 * 1024));
    const info = { code: 1009, reason: `the frame is longer than maxFrameChars (${DEFAULT_LIMITS.maxFrameChars})` };
    expect(wire.closes).toEqual([info]);
    expect(closes).toEqual([info]);
    expect(wire.sent).toEqual([]);
    await expect(pending).rejects.toMatchObject({ name: 'TransportClosedError', info });
  });

  it('at the bound is read, one more is not', () => {
    const text = JSON.stringify(request(1, 'm', ['ä€😀']));
    const fits = rig({ limits: { maxFrameChars: text.length } });
    fits.wire.receive(text);
    expect(fits.wire.take()).toEqual([success(1, ['ä€😀'])]);
    const tooLong = rig({ limits: { maxFrameChars: text.length - 1 } });
    tooLong.wire.receive(text);
    expect(tooLong.wire.closes).toHaveLength(1);
  });
});

describe('names that exist on Object.prototype', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

  it('are ordinary methods and ids', () => {
    const seen: string[] = [];
    const { wire } = rig({ onRequest: (method) => void seen.push(method) });
    for (const name of names) wire.receive(request(name, name));
    expect(seen).toEqual(names);
    expect(wire.take()).toEqual(names.map((name) => success(name, null)));
  });

  it('as keys neither pollute nor stand in for members', () => {
    const { wire, protocolErrors } = rig();
    wire.receive('{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"polluted":1},"constructor":2}}');
    expect(wire.sent).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"polluted":1},"constructor":2}}']);
    expect({}).not.toHaveProperty('polluted');
    wire.take();
    wire.receive('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"m"}}');
    expect(wire.take()).toEqual([failure(null, -32600, 'jsonrpc must be "2.0"')]);
    expect(protocolErrors).toHaveLength(1);
  });

  it('supply nothing even when someone else polluted the prototype', () => {
    const { wire, notifications } = rig();
    Object.assign(Object.prototype, { jsonrpc: '2.0', method: 'forged' });
    try {
      wire.receive('{}');
    } finally {
      Reflect.deleteProperty(Object.prototype, 'jsonrpc');
      Reflect.deleteProperty(Object.prototype, 'method');
    }
    expect(wire.take()).toEqual([failure(null, -32600, 'jsonrpc must be "2.0"')]);
    expect(notifications).toEqual([]);
  });
});
