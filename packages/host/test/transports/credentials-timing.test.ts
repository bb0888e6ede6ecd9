import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { createTokenCredentials } from '../../src/adapters/transport-ws/credentials.js';

let timingSafeEqual: MockInstance<typeof crypto.timingSafeEqual>;
beforeEach(() => {
  timingSafeEqual = vi.spyOn(crypto, 'timingSafeEqual');
  syncBuiltinESMExports(); // for those who import it by name
});
afterEach(() => {
  timingSafeEqual.mockRestore();
  syncBuiltinESMExports();
});

it('a token is compared with every known one in constant time, whatever its length and wherever it differs', () => {
  const credentials = createTokenCredentials({ first: 'a'.repeat(40), second: 'b'.repeat(10), third: 'c' });
  const tokens = [
    'a'.repeat(40),
    'b'.repeat(10),
    'c',
    '',
    'x',
    `${'a'.repeat(39)}x`,
    `x${'a'.repeat(39)}`,
    'a'.repeat(9999),
  ];
  for (const token of tokens) {
    timingSafeEqual.mockClear();
    credentials.check(token);
    const lengths = timingSafeEqual.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength]);
    expect(lengths, `for a token of ${token.length}`).toEqual([
      [32, 32],
      [32, 32],
      [32, 32],
    ]);
  }
});
