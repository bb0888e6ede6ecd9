import { beforeEach, expect, it, vi } from 'vitest';

/** The lengths of what was compared, in the order in which it was. */
const compared = vi.hoisted(() => [] as number[][]);
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  const timingSafeEqual = (a: Buffer, b: Buffer) => {
    compared.push([a.length, b.length]);
    return crypto.timingSafeEqual(a, b);
  };
  return { ...crypto, default: crypto, timingSafeEqual };
});

import { createTokenCredentials } from '../../src/adapters/transport-ws/credentials.js';

beforeEach(() => {
  compared.length = 0;
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
    compared.length = 0;
    credentials.check(token);
    expect(compared, `for a token of ${token.length}`).toEqual([
      [32, 32],
      [32, 32],
      [32, 32],
    ]);
  }
});
