import type { Log, LogLevel } from '@moorage/host';

const SEVERITY: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Writes one JSON object per line to standard error; standard output is for the ready line and for `--stdio`. */
export function stderrLog(level: LogLevel): Log {
  return {
    write(severity, event, message, fields) {
      if (SEVERITY[severity] < SEVERITY[level]) return;
      const line = { time: new Date().toISOString(), level: severity, event, message, ...fields };
      process.stderr.write(`${JSON.stringify(line)}\n`);
    },
  };
}
