import { scheduleInWords } from '@moorage/client';
import type { AutomationSchedule } from '@moorage/protocol';
import { Cron } from 'croner';
import { capitalized } from '../ui/format.js';

/** Says what a schedule means, and when it comes next. */
export function SchedulePreview({ schedule }: { readonly schedule: AutomationSchedule }) {
  const next = nextTime(schedule);
  return (
    <p className="quiet" aria-live="polite">
      {next === undefined
        ? 'Five fields: minute, hour, day of the month, month, day of the week. “0 9 * * 1-5” is every weekday at nine.'
        : `${capitalized(scheduleInWords(schedule))}, next ${next.toLocaleString()} here.`}
    </p>
  );
}

/** Undefined while it is no schedule. The host decides; this is only to see what one has typed. */
function nextTime({ expression, timeZone }: AutomationSchedule): Date | undefined {
  try {
    return new Cron(expression.trim(), { timezone: timeZone, mode: '5-part' }).nextRun() ?? undefined;
  } catch {
    return undefined;
  }
}
