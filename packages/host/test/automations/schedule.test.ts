import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextTime, scheduleProblem } from '../../src/services/automations/schedule.js';

const berlin = (expression: string) => ({ expression, timeZone: 'Europe/Berlin' });

/** The times of a schedule after a moment, as ISO texts. */
function times(expression: string, after: string, count: number, timeZone = 'Europe/Berlin'): string[] {
  const found: string[] = [];
  let last = Date.parse(after);
  for (let index = 0; index < count; index++) {
    last = nextTime({ expression, timeZone }, last) ?? Number.NaN;
    found.push(new Date(last).toISOString().slice(0, 16));
  }
  return found;
}

describe('the times of a schedule', () => {
  it('are by the clock of its time zone, in summer and in winter', () => {
    expect(times('0 9 * * 1-5', '2026-03-27T00:00:00Z', 3)).toEqual([
      '2026-03-27T08:00', // a Friday, in winter
      '2026-03-30T07:00', // the Monday after clocks were turned forward
      '2026-03-31T07:00',
    ]);
  });

  it('that are left out as clocks are turned forward come right after', () => {
    expect(times('30 2 * * *', '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-30T00:30']);
  });

  it('that come twice as clocks are turned back come once if they are times of day, and twice if they are hourly', () => {
    expect(times('30 2 * * *', '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30']);
    expect(times('30 * * * *', '2026-10-25T00:00:00Z', 3)).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:30',
      '2026-10-25T02:30',
    ]);
  });

  it.each(['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'])(
    'in %s are always later, and at least a minute apart',
    (timeZone) => {
      const minute = fc.integer({ min: 0, max: 59 });
      const hour = fc.oneof(fc.constant('*'), fc.integer({ min: 0, max: 23 }).map(String));
      const start = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
      fc.assert(
        fc.property(minute, hour, start, (at, hours, from) => {
          const schedule = { expression: `${at} ${hours} * * *`, timeZone };
          const first = nextTime(schedule, from) ?? 0;
          const second = nextTime(schedule, first) ?? 0;
          expect(first).toBeGreaterThan(from);
          expect(second - first).toBeGreaterThanOrEqual(60_000);
        }),
        { numRuns: 50 },
      );
    },
  );
});

describe('a schedule that is none', () => {
  const now = Date.UTC(2026, 0, 1);

  it.each(['* * * * * *', '61 * * * *', '', '@daily', '0 9 * * nobody', '2026-01-01T00:00:00', '0 9 * * *'.repeat(50)])(
    '%j is refused, with an example',
    (expression) => {
      expect(scheduleProblem(berlin(expression), now)).toContain('such as "0 9 * * 1-5"');
    },
  );

  it.each(['Mars/Olympus', '+02:00', '', 'x'.repeat(500)])('the time zone %j is refused', (timeZone) => {
    expect(scheduleProblem({ expression: '0 9 * * *', timeZone }, now)).toContain('such as "Europe/Berlin"');
  });

  it('one that never comes is refused', () => {
    expect(scheduleProblem(berlin('0 0 30 2 *'), now)).toBe('the schedule "0 0 30 2 *" never comes');
  });

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (expression, timeZone) => {
        scheduleProblem({ expression, timeZone }, now);
      }),
    );
  });
});
