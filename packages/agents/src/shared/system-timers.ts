import type { Timers } from '@moorage/protocol';

export const SYSTEM_TIMERS: Timers = {
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout | undefined),
};
