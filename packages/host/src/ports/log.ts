/** How much it matters. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What the host says of itself. Never holds prompts, file contents or tokens. */
export interface Log {
  write(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** For a host that nobody wants to hear of. */
export const silentLog: Log = { write: () => {} };
