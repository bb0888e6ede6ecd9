// Bare terminals in a process of their own: one read by nobody but a counter, one behind a bare socket.
import { createRequire } from 'node:module';
import { WebSocketServer } from 'ws';
import { answerParent } from '../host/child.mjs';

const { spawn } = createRequire(new URL('../../packages/host/package.json', import.meta.url))('@lydell/node-pty');
const options = { cols: 80, rows: 24, cwd: '/', env: process.env };

/** Milliseconds until so many bytes of what a command writes have been read; at its end the library may lose some. */
function read({ command, bytes }) {
  const started = performance.now();
  const pty = spawn('/bin/sh', ['-c', `${command}; sleep 10`], { ...options, encoding: null });
  return new Promise((resolve) => {
    let left = bytes;
    pty.onData((data) => {
      left -= data.length;
      if (left > 0) return;
      resolve(performance.now() - started);
      pty.kill('SIGKILL');
    });
  });
}

/** A terminal at the other end of a socket, with nothing between. */
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => {
  const pty = spawn('/bin/cat', [], options);
  socket.on('message', (data) => pty.write(data.toString()));
  pty.onData((data) => socket.send(data));
  socket.on('close', () => pty.kill('SIGKILL'));
});
await new Promise((resolve) => server.once('listening', resolve));

answerParent(server.address().port, { read });
