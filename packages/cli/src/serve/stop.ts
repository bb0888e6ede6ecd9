/** Milliseconds that a stop may take before the process exits anyway; five seconds are promised. */
const STOP_MS = 4_800;

/** Milliseconds the process gets to exit by itself once all is done; what did not end in time must not keep it alive. */
const LEAVE_MS = 100;

export interface Stop {
  /** Resolves at the first SIGTERM, SIGINT or SIGHUP (the terminal was closed). */
  readonly asked: Promise<void>;
  /** Everything is stored, so from here on the exit is a clean one; `rest` gets whatever time is left. */
  stored(rest: Promise<unknown> | undefined): Promise<void>;
}

/** How this process is stopped. A second signal, or a stop that takes too long, ends it at once. */
export function listenForStop(): Stop {
  let limit: NodeJS.Timeout | undefined;
  let exitCode = 1;
  const asked = new Promise<void>((resolve) => {
    const stop = () => {
      if (limit) process.exit(1);
      limit = setTimeout(() => process.exit(exitCode), STOP_MS); // not unref'ed: it also keeps the process until all is done
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  });
  const stored = async (rest: Promise<unknown> | undefined) => {
    exitCode = 0;
    await rest;
    clearTimeout(limit);
    setTimeout(() => process.exit(), LEAVE_MS).unref();
  };
  return { asked, stored };
}
