import type { AutomationSchedule } from '@moorage/protocol';
import { Cron } from 'croner';
import { MAX_WORD_CHARS } from './limits.js';

/**
 * The first time of a schedule after a moment, both in milliseconds since the epoch; undefined if there is none. Where
 * clocks are turned forward, times that are left out come right after; where they are turned back, times of day come once.
 */
export function nextTime({ expression, timeZone }: AutomationSchedule, after: number): number | undefined {
  const cron = new Cron(expression, { timezone: timeZone, mode: '5-part' });
  return cron.nextRun(new Date(after))?.getTime();
}

/** What is wrong with a schedule; undefined if nothing is. */
export function scheduleProblem(schedule: AutomationSchedule, now: number): string | undefined {
  const { expression, timeZone } = schedule;
  if (expression.length > MAX_WORD_CHARS || expression.trim().split(/\s+/).length !== 5)
    return badExpression(expression);
  if (!isTimeZone(timeZone)) return `there is no time zone "${short(timeZone)}": expected one such as "Europe/Berlin"`;
  try {
    return nextTime(schedule, now) === undefined ? `the schedule "${expression}" never comes` : undefined;
  } catch {
    return badExpression(expression);
  }
}

function badExpression(expression: string): string {
  return `"${short(expression)}" is no schedule: expected five fields, such as "0 9 * * 1-5" for every weekday at nine`;
}

function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name) || name.length > MAX_WORD_CHARS) return false; // offsets such as "+02:00" know no summer
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== undefined;
  } catch {
    return false;
  }
}

function short(text: string): string {
  return text.length > MAX_WORD_CHARS ? `${text.slice(0, MAX_WORD_CHARS)}…` : text;
}
