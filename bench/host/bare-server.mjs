// What a host is measured against: a bare `ws` server that echoes, or broadcasts the same bytes to every client.
import { WebSocketServer } from 'ws';
import { answerParent } from './child.mjs';
import { atPace, stamped } from './pace.mjs';

/** What is answered instead of an echo. */
let served;
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => socket.on('message', (data) => socket.send(served ?? data.toString())));
await new Promise((resolve) => server.once('listening', resolve));

answerParent(server.address().port, {
  /** As many frames in a second, each with the time at which it was sent. */
  steady({ frame, count, perSecond }) {
    return atPace(count, perSecond, () => {
      const text = frame.replace('STAMP', stamped());
      for (const client of server.clients) client.send(text);
    });
  },
  /** The least that can be done: all frames of a tick as one buffer for each socket. */
  async broadcastBuffers({ frame, count, perTick }) {
    for (let sent = 0; sent < count; sent += perTick) {
      const frames = Array.from({ length: Math.min(perTick, count - sent) }, () => asFrame(frame));
      const buffer = Buffer.concat(frames);
      for (const client of server.clients) client._socket.write(buffer);
      await new Promise(setImmediate);
    }
  },
  serve({ text }) {
    served = text;
  },
  async broadcast({ frame, count, perTick }) {
    for (let sent = 0; sent < count; ) {
      for (let tick = 0; tick < perTick && sent < count; tick++, sent++) {
        for (const client of server.clients) client.send(frame);
      }
      await new Promise(setImmediate);
    }
  },
});

/** A text frame of 126 to 65,535 bytes. */
function asFrame(text) {
  const payload = Buffer.from(text);
  const header = Buffer.from([0x81, 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([header, payload]);
}
