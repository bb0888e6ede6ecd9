import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/rpc/index.js';
import { parseFrame } from '../../src/rpc/parse.js';

const call = (message: string) => ({ kind: 'invalid', code: -32600, message, answerable: true });
const response = (message: string) => ({ kind: 'invalid', code: -32600, message, answerable: false });

describe('parseFrame accepts', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"m"}', { kind: 'request', id: 1, method: 'm', params: undefined }],
    ['{"jsonrpc":"2.0","id":"","method":""}', { kind: 'request', id: '', method: '', params: undefined }],
    ['{"jsonrpc":"2.0","id":-1.5,"method":"m","params":[]}', { kind: 'request', id: -1.5, method: 'm', params: [] }],
    ['{"jsonrpc":"2.0","method":"m","params":{"a":1}}', { kind: 'notification', method: 'm', params: { a: 1 } }],
    ['{"jsonrpc":"2.0","id":1,"result":null}', { kind: 'success', id: 1, result: null }],
    ['{"jsonrpc":"2.0","id":"a","result":0}', { kind: 'success', id: 'a', result: 0 }],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no","data":null}}',
      { kind: 'failure', id: 1, error: { code: -1, message: 'no', data: null } },
    ],
    [
      '{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}',
      { kind: 'failure', id: null, error: { code: -1, message: 'no' } },
    ],
  ])('%s', (text, frame) => {
    expect(parseFrame(text, DEFAULT_LIMITS)).toStrictEqual(frame);
  });

  it('extra members, and lets a method decide that a message is a call', () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"m","result":1,"error":2,"extra":3}';
    expect(parseFrame(text)).toMatchObject({ kind: 'request', id: 1, method: 'm' });
  });

  it('duplicate keys: the last one wins', () => {
    const text = '{"jsonrpc":"2.0","id":1,"id":2,"method":"a","method":"b"}';
    expect(parseFrame(text)).toMatchObject({ kind: 'request', id: 2, method: 'b' });
  });

  it('numbers beyond double range inside params as Infinity', () => {
    expect(parseFrame('{"jsonrpc":"2.0","method":"m","params":[1e400]}')).toMatchObject({
      params: [Number.POSITIVE_INFINITY],
    });
  });

  it('lone surrogates, raw and escaped', () => {
    expect(parseFrame('{"jsonrpc":"2.0","id":"\ud800","method":"\\udfff"}')).toMatchObject({
      kind: 'request',
      id: '\ud800',
      method: '\udfff',
    });
  });
});

describe('parseFrame rejects a call', () => {
  it.each([
    ['{"id":1,"method":"m"}', 1, 'jsonrpc must be "2.0"'],
    ['{"jsonrpc":"1.0","id":"a","method":"m"}', 'a', 'jsonrpc must be "2.0"'],
    ['{"jsonrpc":2.0,"method":"m"}', null, 'jsonrpc must be "2.0"'],
    ['{"jsonrpc":"2.0","id":null,"method":"m"}', null, 'id must be a string or a finite number'],
    ['{"jsonrpc":"2.0","id":true,"method":"m"}', null, 'id must be a string or a finite number'],
    ['{"jsonrpc":"2.0","id":{},"method":"m"}', null, 'id must be a string or a finite number'],
    ['{"jsonrpc":"2.0","id":[1],"method":"m"}', null, 'id must be a string or a finite number'],
    ['{"jsonrpc":"2.0","id":1e400,"method":"m"}', null, 'id must be a string or a finite number'],
    ['{"jsonrpc":"2.0","id":1,"method":7}', 1, 'method must be a string'],
    ['{"jsonrpc":"2.0","id":1,"method":null,"result":1}', 1, 'method must be a string'],
    ['{"jsonrpc":"2.0","id":1}', 1, 'method must be a string'],
    ['{"jsonrpc":"2.0"}', null, 'method must be a string'],
    ['{"jsonrpc":"2.0","id":1,"method":"m","params":null}', 1, 'params must be an object or an array'],
    ['{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}', 1, 'params must be an object or an array'],
    ['{"jsonrpc":"2.0","method":"m","params":1}', null, 'params must be an object or an array'],
    ['[]', null, 'batches are not supported'],
    ['[{"jsonrpc":"2.0","id":1,"method":"m"}]', null, 'batches are not supported'],
    ['null', null, 'a message must be an object'],
    ['1', null, 'a message must be an object'],
    ['"text"', null, 'a message must be an object'],
  ])('%s', (text, id, message) => {
    expect(parseFrame(text)).toStrictEqual({ ...call(message), id });
  });

  it.each(['', ' ', '{', 'undefined', '{"jsonrpc":"2.0",}', '\ufeff{}', '\ud800', '"\u0000"', "{'a':1}", 'NaN'])(
    'unparsable %j',
    (text) => {
      expect(parseFrame(text)).toStrictEqual({
        kind: 'invalid',
        id: null,
        code: -32700,
        message: 'parse error',
        answerable: true,
      });
    },
  );
});

describe('parseFrame rejects a response without asking for an answer', () => {
  it.each([
    ['{"id":1,"result":1}', 1, 'jsonrpc must be "2.0"'],
    ['{"jsonrpc":"2.0","result":1}', null, 'result without a valid id'],
    ['{"jsonrpc":"2.0","id":null,"result":1}', null, 'result without a valid id'],
    ['{"jsonrpc":"2.0","id":1e400,"result":1}', null, 'result without a valid id'],
    ['{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}', 1, 'both result and error'],
    ['{"jsonrpc":"2.0","error":{"code":1,"message":""}}', null, 'error without a valid id'],
    ['{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":""}}', null, 'error without a valid id'],
    ['{"jsonrpc":"2.0","id":1,"error":null}', 1, 'malformed error'],
    ['{"jsonrpc":"2.0","id":1,"error":[]}', 1, 'malformed error'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":""}}', 1, 'malformed error'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}', 1, 'malformed error'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1}}', 1, 'malformed error'],
  ])('%s', (text, id, message) => {
    expect(parseFrame(text)).toStrictEqual({ ...response(message), id });
  });
});

describe('nesting', () => {
  const nested = (levels: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"m","params":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const tooDeep = { ...call('nested deeper than maxJsonDepth (128)'), id: null };

  it('is accepted up to the bound and not beyond', () => {
    expect(parseFrame(nested(DEFAULT_LIMITS.maxJsonDepth))).toMatchObject({ kind: 'request' });
    expect(parseFrame(nested(DEFAULT_LIMITS.maxJsonDepth + 1))).toStrictEqual(tooDeep);
  });

  it('of 10,000 levels is rejected, closed or not, in arrays or objects', () => {
    expect(parseFrame(nested(10_000))).toStrictEqual(tooDeep);
    expect(parseFrame('['.repeat(10_000))).toStrictEqual(tooDeep);
    expect(parseFrame('{"a":'.repeat(10_000))).toStrictEqual(tooDeep);
  });

  it('does not count brackets in strings, siblings or after escaped quotes', () => {
    const brackets = '[{'.repeat(1000);
    const params = [brackets, `\\"${brackets}`, `"${brackets}\\`, ...Array.from({ length: 1000 }, () => [{}])];
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'm', params });
    expect(parseFrame(text)).toMatchObject({ kind: 'request', params });
  });

  it('short text that stays open is just unparsable', () => {
    expect(parseFrame('['.repeat(2 * DEFAULT_LIMITS.maxJsonDepth - 1))).toMatchObject({ code: -32700 });
  });
});
