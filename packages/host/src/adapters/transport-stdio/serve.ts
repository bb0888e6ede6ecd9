import type { Readable, Writable } from 'node:stream';
import { CloseCodes } from '@moorage/protocol';
import { type Incoming, type Listener, type Log, silentLog } from '../../ports/index.js';
import { nodeClock } from '../shared/clock/node-clock.js';
import { DEFAULT_LINE_LIMITS, type LineLimits } from '../shared/ndjson/limits.js';
import { createLineTransport } from '../shared/ndjson/transport.js';
import { handOver, LOCAL_CLIENT } from '../shared/transport/hand-over.js';
import type { Timers } from '../shared/transport/wire-transport.js';

export interface StdioOptions {
  /** Where messages come from, one a line. */
  readonly input: Readable;
  /** Where messages go. */
  readonly output: Writable;
  /** Called with each connection; usually `host.accept`. */
  readonly onClient: (incoming: Incoming) => void;
  /** Bounds; those that are left out have their defaults. */
  readonly limits?: Partial<LineLimits>;
  /** The time; default: the system's. */
  readonly clock?: Timers;
  /** Where it writes what happens; default: nowhere. */
  readonly log?: Log;
}

/** Serves the one client that started this process and has the other ends of its standard streams. */
export function serveStdio(options: StdioOptions): Listener {
  const { input, output, onClient, log = silentLog, clock: timers = nodeClock } = options;
  const limits = { ...DEFAULT_LINE_LIMITS, ...options.limits };
  const { connection } = createLineTransport({ input, output, limits, timers, log });
  // process.stdout never really closes, so the connection counts as ended when the input closes.
  const ended = new Promise<void>((resolve) => input.once('close', () => resolve()));
  handOver(connection, LOCAL_CLIENT, onClient, log);
  return {
    address: 'stdio',
    close: () => {
      connection.close(CloseCodes.GoingAway, 'the host stops');
      return ended;
    },
  };
}
