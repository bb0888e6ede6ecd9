export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The stable name of what happened, such as `store.commit-failed`; docs/OPERATIONS.md has all of them. */
export type LogEvent = `${string}.${string}`;

/** Receives the host's log messages. They never contain prompts, file contents or tokens. `write` must not throw. */
export interface Log {
  /** `message` says it in a sentence, which may change; programs go by the event. */
  write(level: LogLevel, event: LogEvent, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export const silentLog: Log = { write: () => {} };
