import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Silence } from '../../src/acp/chat/silence.js';

const LIMITS = { quietMs: 1_000, silenceMs: 60_000 };

let isExcused = false;
let said: string[] = [];
let silence: Silence;

beforeEach(() => {
  vi.useFakeTimers();
  isExcused = false;
  said = [];
  silence = new Silence(LIMITS, 'Scripted', { isExcused: () => isExcused, say: (text) => said.push(text) });
});
afterEach(() => {
  silence.stop();
  vi.useRealTimers();
});

describe('an agent that says nothing', () => {
  it('is pointed out once, however often it is silent', () => {
    vi.advanceTimersByTime(999);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(said).toEqual([expect.stringContaining('Scripted has said nothing for 1 s')]);
    silence.heard();
    vi.advanceTimersByTime(2_000);
    expect(said).toHaveLength(1);
  });

  it('is not while it speaks now and then', () => {
    for (let times = 0; times < 5; times++) {
      vi.advanceTimersByTime(900);
      silence.heard();
    }
    expect(said).toEqual([]);
  });

  it('is neither pointed out nor ended while it waits for the user, and ended once it does not', async () => {
    const ended = vi.fn();
    silence.tooLong.catch(ended);
    isExcused = true;
    await vi.advanceTimersByTimeAsync(10 * LIMITS.silenceMs);
    expect(said).toEqual([]);
    expect(ended).not.toHaveBeenCalled();
    isExcused = false;
    silence.heard();
    await vi.advanceTimersByTimeAsync(LIMITS.silenceMs);
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ errorType: 'agentSilent' }));
  });

  it('is of no interest any more when its turn is over', async () => {
    const ended = vi.fn();
    silence.tooLong.catch(ended);
    silence.stop();
    silence.heard();
    await vi.advanceTimersByTimeAsync(2 * LIMITS.silenceMs);
    expect([said, ended.mock.calls]).toEqual([[], []]);
  });
});
