import type { Socket } from 'node:net';
import type { CloseInfo } from '@moorage/protocol';
import type { FarEnd } from '../../../src/testing/transport-contract.js';
import { TOKEN } from './host.js';
import { clientFrame, type RawFrame, RawFrameReader } from './raw-frames.js';
import { openUpgrade } from './raw-http.js';

export interface RawClient extends FarEnd {
  readonly socket: Socket;
  /** Everything that came, control frames too. */
  readonly frames: readonly RawFrame[];
}

/**
 * A WebSocket client made of a TCP socket. It looks at what arrives cut into pieces of one byte (long runs: a few
 * hundred), and cuts what it sends, so that no side can rely on frames coming in one piece.
 */
export async function connectRaw(port: number, headers: Record<string, string> = {}): Promise<RawClient> {
  const socket = openUpgrade(port, '/', { authorization: `Bearer ${TOKEN}`, ...headers });
  const rest = await handshake(socket);
  const reader = new RawFrameReader();
  const frames: RawFrame[] = [];
  const received: string[] = [];
  let goodbye: CloseInfo = { code: 1006 };

  const take = (frame: RawFrame) => {
    frames.push(frame);
    if (frame.opcode === 1) received.push(frame.payload.toString());
    if (frame.opcode !== 8) return;
    goodbye = goodbyeIn(frame.payload);
    socket.end(clientFrame(8, frame.payload));
  };
  const feed = (chunk: Buffer) => {
    const piece = chunk.length < 5_000 ? 1 : 997;
    for (let at = 0; at < chunk.length; at += piece) reader.push(chunk.subarray(at, at + piece)).forEach(take);
  };
  feed(rest);
  socket.on('data', feed);
  socket.on('error', () => {});
  return {
    socket,
    frames,
    received,
    send: (text) => {
      const bytes = clientFrame(1, text);
      const border = Math.min(bytes.length, 3);
      socket.write(bytes.subarray(0, border));
      socket.write(bytes.subarray(border));
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.write(clientFrame(8, Buffer.from([0x03, 0xe8]))),
    cut: () => void socket.destroy(),
    closed: new Promise((resolve) => socket.on('close', () => resolve(goodbye))),
  };
}

function goodbyeIn(payload: Buffer): CloseInfo {
  if (payload.length === 0) return {};
  const [code, reason] = [payload.readUInt16BE(0), payload.subarray(2).toString()];
  return reason === '' ? { code } : { code, reason };
}

/** Resolves with what came behind the answer's head. */
function handshake(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) return;
      socket.off('data', onData);
      const head = bytes.subarray(0, end).toString('latin1');
      if (head.startsWith('HTTP/1.1 101')) resolve(bytes.subarray(end + 4));
      else reject(new Error(head));
    };
    socket.on('data', onData);
    socket.once('error', reject);
  });
}
