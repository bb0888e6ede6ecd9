import type { Readable, Writable } from 'node:stream';
import { CloseCodes } from '@ahpd/protocol';
import { type Incoming, type Listener, type Log, silentLog } from '../../ports/index.js';
import { DEFAULT_LINE_LIMITS, type LineLimits } from '../shared/ndjson/limits.js';
import { createLineTransport } from '../shared/ndjson/transport.js';
import type { Timers } from '../shared/transport/connection.js';
import { handOver, LOCAL_CREDENTIAL } from '../shared/transport/hand-over.js';

/** Which streams one client is served on. */
export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly onClient: (incoming: Incoming) => void;
  readonly limits?: Partial<LineLimits>;
  readonly clock: Timers;
  readonly log?: Log;
}

/** Serves the one client that started this process and holds the other ends of its streams. */
export function serveStdio(options: StdioOptions): Listener {
  const { input, output, onClient, log = silentLog, clock: timers } = options;
  const limits = { ...DEFAULT_LINE_LIMITS, ...options.limits };
  const { connection } = createLineTransport({ input, output, limits, timers, log });
  // process.stdout is never really closed, so the input's end tells when nothing is left.
  const gone = new Promise<void>((resolve) => input.once('close', () => resolve()));
  handOver(connection, LOCAL_CREDENTIAL, onClient, log);
  return {
    address: 'stdio',
    close: () => {
      connection.close(CloseCodes.GoingAway, 'the host stops');
      return gone;
    },
  };
}
