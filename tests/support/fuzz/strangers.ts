import { connect, type Socket } from 'node:net';
import type { Random } from '../random.js';

/** Connections that never become clients: noise, broken requests, wrong tokens. Each ends by itself or is cut. */
export async function knock(url: string, token: string, random: Random): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}); // being cut off is what it came for
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.resume();
  const wrong = token.slice(0, random.below(token.length));
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const upgrade = `Host: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}`;
  const noise = Buffer.from(Array.from({ length: 1 + random.below(400) }, () => random.below(256)));
  const openings: (string | Buffer)[] = [
    noise,
    'GET / HTTP/1.1\r\n',
    `GET / HTTP/1.1\r\n${upgrade}\r\n\r\n`,
    `GET /?token=${wrong} HTTP/1.1\r\n${upgrade}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${upgrade}\r\nAuthorization: Bearer ${wrong}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${upgrade}\r\nOrigin: https://evil.example\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    `GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`,
    `POST / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 999999999\r\n\r\nx`,
    `GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    Buffer.concat([Buffer.from(`GET / HTTP/1.1\r\n${upgrade}\r\nAuthorization: Bearer ${token}\r\n\r\n`), noise]),
  ];
  socket.write(random.pick(openings));
  await gone(socket);
}

async function gone(socket: Socket): Promise<void> {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  setTimeout(() => socket.destroy(), 50);
  await closed;
}
