// What a host is measured against: a bare `ws` server that echoes, or broadcasts the same bytes to every client.
import { WebSocketServer } from 'ws';
import { answerParent } from './child.mjs';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => socket.on('message', (data) => socket.send(data.toString())));
await new Promise((resolve) => server.once('listening', resolve));

answerParent(server.address().port, {
  async broadcast({ frame, count, perTick }) {
    for (let sent = 0; sent < count; ) {
      for (let tick = 0; tick < perTick && sent < count; tick++, sent++) {
        for (const client of server.clients) client.send(frame);
      }
      await new Promise(setImmediate);
    }
  },
});
