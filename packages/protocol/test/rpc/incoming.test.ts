import { describe, expect, it } from 'vitest';
import { createPeer, createTransportPair, RpcError } from '../../src/rpc/index.js';
import { deferred, failure, request, rig, settled, success } from './harness.js';

describe('answers', () => {
  it('echo the id with its type', () => {
    const { wire } = rig();
    for (const id of [0, 1, '1', '', -2.5, '__proto__', '\ud800']) wire.receive(request(id, 'm', [id]));
    expect(wire.take()).toEqual([0, 1, '1', '', -2.5, '__proto__', '\ud800'].map((id) => success(id, [id])));
  });

  it('of synchronous handlers are sent before the listener returns, in order', () => {
    const order: string[] = [];
    const { wire } = rig({
      onRequest: (method) => {
        order.push(method);
        return method;
      },
    });
    wire.receive(request(1, 'a'));
    wire.receive(request(2, 'b'));
    expect(wire.take()).toEqual([success(1, 'a'), success(2, 'b')]);
    expect(order).toEqual(['a', 'b']);
  });

  it('come before what the handler sends later', async () => {
    const { wire, peer } = rig({
      onRequest: () => {
        void Promise.resolve().then(() => peer.notify('later'));
        return 1;
      },
    });
    wire.receive(request(1));
    await settled();
    expect(wire.take()).toEqual([success(1, 1), { jsonrpc: '2.0', method: 'later' }]);
  });

  it('of promises may overtake each other', async () => {
    const slow = deferred<string>();
    const { wire } = rig({ onRequest: (method) => (method === 'slow' ? slow.promise : Promise.resolve('fast')) });
    wire.receive(request(1, 'slow'));
    wire.receive(request(2, 'fast'));
    await settled();
    slow.resolve('slow');
    await settled();
    expect(wire.take()).toEqual([success(2, 'fast'), success(1, 'slow')]);
  });

  it('send undefined as null', async () => {
    const { wire } = rig({ onRequest: (method) => (method === 'sync' ? undefined : Promise.resolve(undefined)) });
    wire.receive(request(1, 'sync'));
    wire.receive(request(2, 'async'));
    await settled();
    expect(wire.take()).toEqual([success(1, null), success(2, null)]);
  });

  it('escape lone surrogates so the text stays well-formed', () => {
    const { wire } = rig();
    wire.receive('{"jsonrpc":"2.0","id":"\ud800","method":"m","params":["\udfff"]}');
    expect(wire.sent).toEqual(['{"jsonrpc":"2.0","id":"\\ud800","result":["\\udfff"]}']);
  });
});

describe('a failing handler', () => {
  it('sends the code, message and data of an RpcError, never its cause', async () => {
    const error = new RpcError(-32001, 'not found', { data: { uri: 'x' }, cause: new Error('secret') });
    const { wire, internalErrors } = rig({
      onRequest: (method) => {
        if (method === 'sync') throw error;
        return Promise.reject(error);
      },
    });
    wire.receive(request(1, 'sync'));
    wire.receive(request(2, 'async'));
    await settled();
    const body = { code: -32001, message: 'not found', data: { uri: 'x' } };
    expect(wire.take()).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, error: body })));
    expect(internalErrors).toEqual([]);
  });

  it.each([new Error('secret path'), 'secret string', undefined, null, { code: -1, message: 'secret' }])(
    'hides %o and reports it',
    async (thrown) => {
      const { wire, internalErrors } = rig({
        onRequest: (method) => {
          if (method === 'sync') throw thrown;
          return Promise.reject(thrown);
        },
      });
      wire.receive(request(1, 'sync'));
      wire.receive(request(2, 'async'));
      await settled();
      expect(wire.sent.join()).not.toContain('secret');
      expect(wire.take()).toEqual([1, 2].map((id) => failure(id, -32603, 'internal error')));
      expect(internalErrors).toEqual([
        { error: thrown, method: 'sync' },
        { error: thrown, method: 'async' },
      ]);
    },
  );

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const throwingGetter = Object.defineProperty({}, 'then', {
    get() {
      throw new Error('secret');
    },
  });
  it.each([[1n], [cycle], [() => 1], [Symbol('x')], [{ toJSON: () => undefined }], [throwingGetter]])(
    'that returns something without JSON form (%#) gets -32603',
    (result) => {
      const { wire, internalErrors } = rig({ onRequest: () => result });
      wire.receive(request(1));
      expect(wire.take()).toEqual([failure(1, -32603, 'internal error')]);
      expect(internalErrors).toHaveLength(1);
    },
  );

  it.each([new RpcError(1, 'x', { data: 1n }), new RpcError(Number.NaN, 'x'), new RpcError(0.5, 'x')])(
    'whose RpcError cannot be sent gets -32603: %o',
    (error) => {
      const { wire, internalErrors } = rig({ onRequest: () => Promise.reject(error) });
      wire.receive(request(1));
      return settled().then(() => {
        expect(wire.take()).toEqual([failure(1, -32603, 'internal error')]);
        expect(internalErrors).toHaveLength(1);
      });
    },
  );

  it('is not the only cause: a transport that throws despite its promise is reported and gets no second answer', () => {
    const { wire, internalErrors } = rig();
    let sends = 0;
    wire.send = () => {
      sends++;
      throw new Error('broken transport');
    };
    wire.receive(request(1, 'm', []));
    expect([sends, internalErrors.length]).toEqual([1, 1]);
  });

  it('without report callbacks does not disturb the peer', async () => {
    const [left, right] = createTransportPair();
    const quiet = {
      onRequest: (method: string) => {
        if (method === 'bad') throw new Error('x');
        return 'fine';
      },
      onNotification: () => {
        throw new Error('y');
      },
    };
    createPeer(left, quiet);
    const caller = createPeer(right, quiet);
    caller.sendRaw('nonsense');
    caller.notify('n');
    await expect(caller.request('bad')).rejects.toMatchObject({ name: 'RpcError', code: -32603 });
    await expect(caller.request('good')).resolves.toBe('fine');
  });
});

describe('notifications', () => {
  it('reach the handler and get no answer', () => {
    const { wire, notifications } = rig();
    wire.receive({ jsonrpc: '2.0', method: 'a', params: { x: 1 } });
    wire.receive({ jsonrpc: '2.0', method: 'b' });
    expect(notifications).toEqual([
      { method: 'a', params: { x: 1 } },
      { method: 'b', params: undefined },
    ]);
    expect(wire.sent).toEqual([]);
  });

  it('may fail, at once or later, without breaking the peer', async () => {
    const error = new Error('x');
    const { wire, internalErrors } = rig({
      onNotification: (method): void | Promise<void> => {
        if (method === 'async') return Promise.reject(error);
        throw error;
      },
    });
    wire.receive({ jsonrpc: '2.0', method: 'sync' });
    wire.receive({ jsonrpc: '2.0', method: 'async' });
    await settled();
    wire.receive(request(1, 'm', []));
    expect(wire.take()).toEqual([success(1, [])]);
    expect(internalErrors).toEqual([
      { error, method: 'sync' },
      { error, method: 'async' },
    ]);
  });
});

describe('requests in flight', () => {
  it('a second use of an unanswered id is refused and not run; 1 and "1" differ', async () => {
    const gate = deferred<string>();
    const runs: unknown[] = [];
    const { wire } = rig({
      onRequest: (method) => {
        runs.push(method);
        return gate.promise;
      },
    });
    wire.receive(request(1, 'a number'));
    wire.receive(request('1', 'a text'));
    wire.receive(request(1, 'twice'));
    expect(wire.take()).toEqual([failure(1, -32600, 'duplicate request id')]);
    gate.resolve('done');
    await settled();
    expect(wire.take()).toEqual([success(1, 'done'), success('1', 'done')]);
    wire.receive(request(1, 'again'));
    await settled();
    expect(wire.take()).toEqual([success(1, 'done')]);
    expect(runs).toEqual(['a number', 'a text', 'again']);
  });

  it('beyond the default bound of 256 are refused until one is answered', async () => {
    const gates = new Map<unknown, (value: unknown) => void>();
    const { wire } = rig({
      onRequest: (method) => {
        const gate = deferred<unknown>();
        gates.set(method, gate.resolve);
        return gate.promise;
      },
    });
    for (let id = 1; id <= 256; id++) wire.receive(request(id, `m${id}`));
    wire.receive(request(257, 'm257'));
    expect(wire.take()).toEqual([failure(257, -32603, 'too many requests in flight')]);
    gates.get('m3')?.('x');
    await settled();
    expect(wire.take()).toEqual([success(3, 'x')]);
    wire.receive(request(257, 'm257'));
    expect(gates.has('m257')).toBe(true);
    expect(wire.sent).toEqual([]);
  });

  it('that are answered after the connection closed send nothing', async () => {
    const gate = deferred<string>();
    const { wire } = rig({ onRequest: () => gate.promise });
    wire.receive(request(1, 'wait'));
    wire.drop();
    gate.resolve('late');
    await settled();
    expect(wire.sent).toEqual([]);
  });
});
