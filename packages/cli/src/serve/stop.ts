/** Milliseconds that a clean stop may take before the process exits anyway; five seconds are promised. */
const STOP_MS = 4_500;

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP (the terminal was closed). A second one, or a stop that takes too long,
 * ends the process at once.
 */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = () => {
      if (stopping) process.exit(1);
      stopping = true;
      setTimeout(() => process.exit(1), STOP_MS).unref();
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  });
}
