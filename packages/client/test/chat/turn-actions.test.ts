import { describe, expect, it } from 'vitest';
import { turnCancelled, turnStarted } from '../../src/index.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('the actions of a turn', () => {
  it('say when it starts', () => {
    const message = { text: 'Hello', origin: { kind: 'user' as const } };
    const startedAt = '2026-01-02T03:04:05.000Z';
    expect(turnStarted('t', message, NOW)).toEqual({ type: 'chat/turnStarted', turnId: 't', startedAt, message });
  });

  it.each([
    ['the time since it started', '2026-01-02T03:04:03.500Z', 1_500],
    ['nothing for one of another clock, which is ahead', '2026-01-02T03:05:00.000Z', 0],
    ['nothing for one whose start is no time', 'yesterday', 0],
  ])('say how long it took: %s', (_, startedAt, duration) => {
    expect(turnCancelled({ id: 't', startedAt }, NOW)).toEqual({ type: 'chat/turnCancelled', turnId: 't', duration });
  });
});
