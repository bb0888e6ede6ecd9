export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Receives the host's log messages. They never contain prompts, file contents or tokens. `write` must not throw. */
export interface Log {
  write(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export const silentLog: Log = { write: () => {} };
