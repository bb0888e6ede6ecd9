import { describe, expect, it } from 'vitest';
import { Recent } from '../../src/adapters/workspace-git/objects/recent.js';

describe('what was used lately', () => {
  it('is kept up to a weight, and what was used longest ago goes first', () => {
    const recent = new Recent<string, number>(10, (value) => value);
    recent.set('a', 4);
    recent.set('b', 4);
    recent.get('a');
    recent.set('c', 4);
    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([4, undefined, 4]);
  });

  it('weighs a value that was replaced once', () => {
    const recent = new Recent<string, number>(10, (value) => value);
    for (let round = 0; round < 5; round++) recent.set('a', 6);
    recent.set('b', 4);
    expect([recent.get('a'), recent.get('b')]).toEqual([6, 4]);
  });

  it('keeps the newest few whatever they weigh', () => {
    const recent = new Recent<string, number>(10, (value) => value, 2);
    for (const [key, weight] of Object.entries({ a: 1, b: 100, c: 200 })) recent.set(key, weight);
    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([undefined, 100, 200]);
  });
});
