import { type AskGateway, keepLease, LEASE_MS, type Lease } from '@moorage/fleet';
import { silentLog } from '@moorage/host';
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../support/manual-clock.js';

type Answer = 'given' | 'refused' | 'none';

let clock: ManualClock;
let wall: number;
let answer: Answer;
let asked: number[];
let held: boolean[];
let refusals: number;
let logged: string[];
let lease: Lease;

const ask: Pick<AskGateway, 'ask'> = {
  ask: async (request) => {
    if (request.ask === 'lease') asked.push(request.ms);
    if (answer === 'none') throw new Error('no gateway is there');
    return { head: answer === 'refused' ? { refused: 'give up first' } : {} };
  },
};

/** Lets what was asked be answered. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Some time goes by, second by second, with its answers. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 500) {
    clock.advance(Math.min(500, left));
    await settled();
  }
}

beforeEach(() => {
  clock = new ManualClock();
  wall = 0;
  answer = 'given';
  asked = [];
  held = [];
  refusals = 0;
  logged = [];
});

function start(): void {
  lease = keepLease({
    ask,
    clock: {
      now: () => clock.now() + wall,
      setTimeout: (run, milliseconds) => clock.setTimeout(run, milliseconds),
      clearTimeout: (handle) => clock.clearTimeout(handle),
    },
    monotonic: () => clock.now(),
    log: { write: (_level, event) => void logged.push(event) },
    onHeld: (isHeld) => held.push(isHeld),
    onRefused: () => refusals++,
  });
}

describe('the lease of a host', () => {
  it('is not held until the fleet has given it, and is kept for as long as gateways answer', async () => {
    answer = 'none';
    start();
    await pass(60_000);
    expect([held, logged]).toEqual([[false], ['fleet.isolated']]);
    answer = 'given';
    await pass(10_000);
    expect(logged).toEqual(['fleet.isolated', 'fleet.rejoined']);
    expect(held).toEqual([false, true]);
    await pass(10 * 60_000);
    expect(held).toEqual([false, true]);
    expect(new Set(asked)).toEqual(new Set([LEASE_MS]));
  });

  it('ends when nobody has answered for its time, and is held again with the next answer', async () => {
    start();
    await settled();
    answer = 'none';
    await pass(LEASE_MS - 500);
    expect(held).toEqual([false, true]);
    await pass(500);
    expect(held).toEqual([false, true, false]);
    answer = 'given';
    lease.renew();
    await settled();
    expect(held).toEqual([false, true, false, true]);
  });

  it('counts from when it was asked for, not from when the answer came', async () => {
    let give = () => {};
    const slow = new Promise<void>((resolve) => {
      give = resolve;
    });
    const own = ask.ask;
    let isFirst = true;
    lease = keepLease({
      ask: {
        ask: async (request, takes) => {
          if (isFirst) {
            isFirst = false;
            await slow;
          } else answer = 'none';
          return own(request, takes);
        },
      },
      clock,
      monotonic: () => clock.now(),
      log: silentLog,
      onHeld: (isHeld) => held.push(isHeld),
      onRefused: () => {},
    });
    await pass(20_000);
    give();
    await settled();
    expect(held).toEqual([false, true]);
    await pass(LEASE_MS - 20_000);
    expect(held).toEqual([false, true, false]);
  });

  it.each([
    ['is set forward, as after the machine has slept', 60 * 60_000, false],
    ['is set back', -60 * 60_000, true],
  ])('when the clock of the machine %s', async (_what, jump, isHeld) => {
    start();
    await settled();
    answer = 'none';
    wall += jump;
    await pass(1_000);
    expect(held.at(-1)).toBe(isHeld);
    await pass(LEASE_MS);
    expect(held.at(-1)).toBe(false);
  });

  it('is not held while it is refused, and whoever has to give up sessions is told', async () => {
    answer = 'refused';
    start();
    await pass(20_000);
    expect(held).toEqual([false]);
    expect(refusals).toBeGreaterThan(0);
  });

  it('is given back at the end, and then asked for no more', async () => {
    start();
    await settled();
    await lease.end();
    expect(asked.at(-1)).toBe(0);
    const times = asked.length;
    await pass(60_000);
    expect(asked).toHaveLength(times);
    expect(held).toEqual([false, true]);
  });
});
