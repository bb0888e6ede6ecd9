import { Buffer } from 'node:buffer';

/** What the two ends of a connection over a bus tell each other. */
export type Packet =
  | { readonly kind: 'data'; readonly number: number; readonly bytes: Uint8Array }
  /** Also a sign of life: sent at intervals, with how many bytes of data were taken so far. */
  | { readonly kind: 'taken'; readonly total: number }
  | { readonly kind: 'close'; readonly code: number | undefined; readonly reason: string };

const DATA = 1;
const TAKEN = 2;
const CLOSE = 3;

/** Bytes before the data of a packet: kind, and the packet's number. */
const HEADER_BYTES = 5;

export function dataPacket(number: number, bytes: Uint8Array): Uint8Array {
  const packet = Buffer.allocUnsafe(HEADER_BYTES + bytes.length);
  packet[0] = DATA;
  packet.writeUInt32BE(number, 1);
  packet.set(bytes, HEADER_BYTES);
  return packet;
}

export function takenPacket(total: number): Uint8Array {
  const packet = Buffer.allocUnsafe(9);
  packet[0] = TAKEN;
  packet.writeDoubleBE(total, 1);
  return packet;
}

export function closePacket(code: number | undefined, reason: string): Uint8Array {
  return Buffer.concat([Buffer.of(CLOSE), Buffer.from(JSON.stringify([code ?? null, reason]))]);
}

/** Undefined for what is no packet: everything that arrives is from another machine. */
export function readPacket(bytes: Uint8Array): Packet | undefined {
  const packet = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = packet[0];
  if (kind === TAKEN) return packet.length === 9 ? { kind: 'taken', total: packet.readDoubleBE(1) } : undefined;
  if (kind === DATA && packet.length >= HEADER_BYTES) {
    return { kind: 'data', number: packet.readUInt32BE(1), bytes: packet.subarray(HEADER_BYTES) };
  }
  if (kind !== CLOSE) return undefined;
  try {
    const [code, reason] = JSON.parse(packet.subarray(1).toString()) as unknown[];
    return {
      kind: 'close',
      code: Number.isSafeInteger(code) ? (code as number) : undefined,
      reason: typeof reason === 'string' ? reason : '',
    };
  } catch {
    return undefined;
  }
}
