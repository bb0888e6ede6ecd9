import { AhpErrorCodes, RequestAbandonedError, RpcError, TransportClosedError } from '@moorage/protocol';
import { ConnectError } from '../errors.js';
import type { ConnectionEvent } from './machine.js';

/**
 * What is said first on a transport. Each resolves with a function that applies the host's answer, which is called at most
 * once, right before the connection goes live (I-8).
 */
export interface Handshake {
  initialize(ask: Ask): Promise<() => void>;
  resume(ask: Ask): Promise<() => void>;
}

export type Ask = (method: string, params: object) => Promise<unknown>;

/** What a failed handshake means for the connection. */
export function handshakeFailure(
  spoken: keyof Handshake,
  error: unknown,
): { event: ConnectionEvent; error: ConnectError } {
  const event = eventOf(spoken, error);
  const text = error instanceof Error ? error.message : String(error);
  const kind = event === 'refused' ? 'refused' : 'handshake';
  return { event, error: new ConnectError(kind, `the handshake failed: ${text}`, { cause: error }) };
}

function eventOf(spoken: keyof Handshake, error: unknown): ConnectionEvent {
  if (error instanceof RequestAbandonedError || error instanceof TransportClosedError) return 'lost';
  const isAboutVersions = error instanceof RpcError && error.code === AhpErrorCodes.UnsupportedProtocolVersion;
  // Only `initialize` offers versions: a host that will not resume with the agreed one may still take another.
  return isAboutVersions && spoken === 'initialize' ? 'refused' : 'declined';
}
