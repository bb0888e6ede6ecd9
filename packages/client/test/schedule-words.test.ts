import { expect, it } from 'vitest';
import { scheduleInWords, triggerInWords } from '../src/schedule-words.js';

it.each([
  ['0 9 * * 1-5', 'every weekday at 09:00 UTC'],
  ['30 8,17 * * MON-FRI', 'every weekday at 08:30, 17:30 UTC'],
  ['5 0 * * *', 'every day at 00:05 UTC'],
  ['0 7 * * 0', 'every Sunday at 07:00 UTC'],
  ['0 7 * * 7,mon,3', 'every Sunday, Monday and Wednesday at 07:00 UTC'],
  ['0 7 * * 6,0', 'every Saturday and Sunday at 07:00 UTC'],
  ['15 * * * *', 'every hour at minute 15 UTC'],
  ['*/10 * * * *', 'every 10 minutes UTC'],
  ['* * * * *', 'every minute UTC'],
  ['0 6 1 * *', 'on day 1 of every month at 06:00 UTC'],
  ['0 6 1 12 *', 'at "0 6 1 12 *" UTC'],
  ['0 6 1 * 1', 'at "0 6 1 * 1" UTC'],
  ['0 9-17 * * *', 'at "0 9-17 * * *" UTC'],
  ['0 9 * * 1-3', 'at "0 9 * * 1-3" UTC'],
  ['nonsense', 'at "nonsense" UTC'],
])('%s is %s', (expression, words) => {
  expect(scheduleInWords({ expression, timeZone: 'UTC' })).toBe(words);
});

it('an event is what happens', () => {
  const events = [
    { id: 'a', title: 'A turn ended' },
    { id: 'b', title: 'A turn failed' },
  ];
  const trigger = { id: '1', kind: 'event' as const, type: 't', title: 'T', events };
  expect(triggerInWords(trigger)).toBe('when a turn ended or a turn failed');
});
