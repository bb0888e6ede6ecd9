import { ConnectError } from '../errors.js';

/** The host answered the upgrade with this HTTP status instead. */
export function refusal(status: number | undefined): ConnectError {
  if (status === 401) return new ConnectError('refused', 'the host wants a valid token (HTTP 401)', { status });
  if (status === 403) return new ConnectError('refused', 'the host does not allow this client (HTTP 403)', { status });
  return new ConnectError('unreachable', `no WebSocket at this address (HTTP ${status})`, { status });
}
