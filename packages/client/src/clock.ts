/** All that a client knows of time; tests pass a clock that they move by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls a function once, later. Returns what `clearTimeout` takes. */
  setTimeout(run: () => void, milliseconds: number): unknown;
  /** Keeps it from being called; nothing happens if it was. */
  clearTimeout(handle: unknown): void;
  /** Runs once the messages that are already waiting have been handled: what arrives together is shown together. */
  defer(run: () => void): void;
}

/** The clock of Node or of the browser. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
  clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
  defer: typeof setImmediate === 'function' ? (run) => void setImmediate(run) : deferByMessage(),
};

/** Browsers delay timers, by a second in hidden tabs; a message to oneself comes after what is already waiting. */
function deferByMessage(): Clock['defer'] {
  if (typeof MessageChannel !== 'function') return (run) => void setTimeout(run, 0);
  const waiting: (() => void)[] = [];
  const channel = new MessageChannel();
  channel.port1.onmessage = () => waiting.shift()?.();
  return (run) => {
    waiting.push(run);
    channel.port2.postMessage(undefined);
  };
}
