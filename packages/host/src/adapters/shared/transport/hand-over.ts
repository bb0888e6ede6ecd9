import { CloseCodes } from '@moorage/protocol';
import type { ClientTransport, Incoming, Log } from '../../../ports/index.js';
import { faultFields } from './fault.js';

/** Passes a new client to the host. Catches errors, because inside a socket event they would end the process. */
export function handOver(
  transport: ClientTransport,
  from: Omit<Incoming, 'transport'>,
  onClient: (incoming: Incoming) => void,
  log: Log,
): void {
  try {
    onClient({ transport, ...from });
  } catch (error) {
    log.write('error', 'connection.open-failed', 'opening a connection failed', faultFields(error));
    transport.close(CloseCodes.InternalError, 'internal error');
  }
}

/** Whoever may open the socket file, or has started the host. */
export const LOCAL_CLIENT = { credential: 'local', reachedAs: 'localhost' } as const;
