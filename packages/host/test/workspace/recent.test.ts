import { describe, expect, it } from 'vitest';
import { Recent } from '../../src/adapters/workspace-git/recent.js';

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

  it('keeps the newest whatever it weighs', () => {
    const recent = new Recent<string, number>(10, (value) => value);
    recent.set('a', 1);
    recent.set('b', 100);
    expect([recent.get('a'), recent.get('b')]).toEqual([undefined, 100]);
  });
});
