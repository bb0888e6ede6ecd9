import type { Log, LogEvent, LogLevel } from '../ports/log.js';

/** A log that keeps everything written to it as one text. */
export class RecordingLog implements Log {
  readonly lines: string[] = [];

  write(level: LogLevel, event: LogEvent, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push(`${level} ${event} ${message} ${JSON.stringify(fields)}`);
  }

  get text(): string {
    return this.lines.join('\n');
  }
}
