import { CloseCodes } from '@moorage/protocol';
import type { Bus } from '../../ports/bus.js';
import type { Log } from '../../ports/index.js';
import { type Timers, WireTransport } from '../shared/transport/wire-transport.js';
import type { BusTransportLimits } from './limits.js';
import { encodeMessages, MessageReader, messageInPieces } from './message-frames.js';
import { BusPipe } from './pipe.js';

export interface BusConnection {
  readonly transport: WireTransport;
  readonly pipe: BusPipe;
}

export interface BusConnectionOptions {
  readonly bus: Bus;
  readonly to: string;
  readonly limits: BusTransportLimits;
  readonly timers: Timers;
  readonly log: Log;
  readonly onEnd: () => void;
}

/** A connection whose bytes travel over a bus; the same at both ends. */
export function createBusConnection({ bus, to, limits, timers, log, onEnd }: BusConnectionOptions): BusConnection {
  const reader = new MessageReader(
    limits.maxMessageBytes,
    (text) => transport.received(text),
    () => transport.close(CloseCodes.MessageTooBig, 'the message is too long'),
  );
  const pipe = new BusPipe({
    bus,
    to,
    limits,
    timers,
    onBytes: (bytes) => reader.push(bytes),
    onEnd: (info) => {
      transport.ended(info);
      onEnd();
    },
  });
  const transport = new WireTransport(
    {
      output: pipe,
      encode: encodeMessages,
      inPieces: messageInPieces,
      get writable() {
        return pipe.writable;
      },
      end: (code, reason) => pipe.end(code, reason),
    },
    log,
  );
  return { transport, pipe };
}
