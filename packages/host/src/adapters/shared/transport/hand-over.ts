import { CloseCodes } from '@ahpd/protocol';
import type { Incoming, Log } from '../../../ports/index.js';
import type { Connection } from './connection.js';
import { faultFields } from './fault.js';

/** Gives a new client to the host. Runs inside a socket event, so a host that fails here must not take the others down. */
export function handOver(
  transport: Connection,
  credential: string,
  onClient: (incoming: Incoming) => void,
  log: Log,
): void {
  try {
    onClient({ transport, credential });
  } catch (error) {
    log.write('error', 'a new client could not be served', faultFields(error));
    transport.close(CloseCodes.InternalError, 'internal error');
  }
}

/** Names the permission to open the socket file, or to have started the host (see Incoming.credential). */
export const LOCAL_CREDENTIAL = 'local';
