import { CloseCodes } from '@moorage/protocol';
import type { Incoming, Log } from '../../../ports/index.js';
import type { Connection } from './connection.js';
import { faultFields } from './fault.js';

/** Passes a new client to the host. Catches errors, because inside a socket event they would end the process. */
export function handOver(
  transport: Connection,
  credential: string,
  onClient: (incoming: Incoming) => void,
  log: Log,
): void {
  try {
    onClient({ transport, credential });
  } catch (error) {
    log.write('error', 'connection.open-failed', 'opening a connection failed', faultFields(error));
    transport.close(CloseCodes.InternalError, 'internal error');
  }
}

/** The credential of whoever may open the socket file, or has started the host (see Incoming.credential). */
export const LOCAL_CREDENTIAL = 'local';
