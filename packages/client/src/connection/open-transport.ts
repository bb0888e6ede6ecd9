import type { Transport } from '@moorage/protocol';
import type { Clock } from '../clock.js';
import { ConnectError } from '../errors.js';

export interface Opening {
  readonly open: () => Promise<Transport> | Transport;
  readonly clock: Clock;
  onOpen(transport: Transport): void;
  onFail(error: ConnectError): void;
}

/** How long opening a transport may take; TCP alone would try for minutes. */
export const OPEN_TIMEOUT_MS = 15_000;

/** Ends in exactly one of `onOpen`, `onFail` and a call of the returned cancel; a transport that comes later is closed. */
export function openTransport({ open, clock, onOpen, onFail }: Opening): () => void {
  let ended = false;
  const end = () => {
    ended = true;
    clock.clearTimeout(timer);
  };
  const fail = (error: unknown) => {
    if (ended) return;
    end();
    onFail(asConnectError(error));
  };
  const timer = clock.setTimeout(
    () => fail(new ConnectError('unreachable', `no connection within ${OPEN_TIMEOUT_MS} ms`)),
    OPEN_TIMEOUT_MS,
  );
  void Promise.resolve()
    .then(open)
    .then((transport) => {
      if (ended) return transport.close();
      end();
      onOpen(transport);
    }, fail);
  return () => {
    if (!ended) end();
  };
}

function asConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new ConnectError('unreachable', `no connection: ${text}`, { cause: error });
}
