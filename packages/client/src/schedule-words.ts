import type { AutomationSchedule, AutomationTrigger } from '@moorage/protocol';

/** When a trigger starts runs, for people: "every weekday at 09:00 Europe/Berlin". */
export function triggerInWords(trigger: AutomationTrigger): string {
  if (trigger.kind === 'schedule') return scheduleInWords(trigger.schedule);
  return `when ${trigger.events.map(({ title }) => title.toLowerCase()).join(' or ')}`;
}

/** A cron expression in words, as far as that is shorter than the expression itself. */
export function scheduleInWords({ expression, timeZone }: AutomationSchedule): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expression.trim().split(/\s+/);
  const words = month === '*' ? inWords(minute, hour, day, weekday) : undefined;
  return `${words ?? `at "${expression}"`} ${timeZone}`;
}

function inWords(minute: string, hour: string, day: string, weekday: string): string | undefined {
  const isEveryDay = day === '*' && weekday === '*';
  const every = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (isEveryDay && hour === '*' && minute === '*') return 'every minute';
  if (isEveryDay && hour === '*' && every !== undefined) return `every ${every} minutes`;
  if (!isNumber(minute)) return undefined;
  if (isEveryDay && hour === '*') return `every hour at minute ${Number(minute)}`;
  const time = hour.split(',').every(isNumber)
    ? hour
        .split(',')
        .map((one) => `${one.padStart(2, '0')}:${minute.padStart(2, '0')}`)
        .join(', ')
    : undefined;
  if (time === undefined) return undefined;
  if (isEveryDay) return `every day at ${time}`;
  if (weekday === '*' && isNumber(day)) return `on day ${Number(day)} of every month at ${time}`;
  const days = day === '*' ? weekdays(weekday) : undefined;
  return days && `every ${days} at ${time}`;
}

function weekdays(field: string): string | undefined {
  if (/^(1-5|mon-fri)$/i.test(field)) return 'weekday';
  if (/^(6,0|0,6|6,7|sat,sun|sun,sat)$/i.test(field)) return 'Saturday and Sunday';
  const names = field.split(',').map((one) => DAYS[isNumber(one) ? Number(one) % 7 : SHORT.indexOf(one.toLowerCase())]);
  if (names.some((name) => name === undefined)) return undefined;
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0];
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const SHORT = DAYS.map((day) => day.slice(0, 3).toLowerCase());

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}
