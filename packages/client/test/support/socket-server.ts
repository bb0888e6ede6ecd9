import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '@moorage/protocol';
import { WebSocketServer } from 'ws';
import type { FakeHost } from './fake-host.js';

export interface SocketServer {
  readonly url: string;
  /** The upgrade requests so far. */
  readonly upgrades: IncomingMessage[];
  /** Set: the next upgrades are answered with this HTTP status. */
  refuseWith: number | undefined;
  /** Closes every connection with a code. */
  drop(code: number): void;
  close(): Promise<void>;
}

/** A real WebSocket server before a fake host. */
export async function webSocketServer(host: FakeHost): Promise<SocketServer> {
  const http = createServer();
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has('ahp') ? 'ahp' : false),
  });
  const server: SocketServer = {
    url: '',
    upgrades: [],
    refuseWith: undefined,
    drop(code) {
      for (const socket of sockets.clients) socket.close(code);
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  http.on('upgrade', (request, socket, head) => {
    server.upgrades.push(request);
    if (server.refuseWith !== undefined) {
      socket.end(`HTTP/1.1 ${server.refuseWith} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const transport: Transport = {
        send: (text) => webSocket.send(text),
        close: (code, reason) => webSocket.close(code, reason),
        onMessage: (listener) => void webSocket.on('message', (message) => listener(message.toString())),
        onClose: (listener) => void webSocket.on('close', (code) => listener({ code })),
      };
      host.connect(transport);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return Object.assign(server, { url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/` });
}

/** A unix socket before a fake host: one message per line. */
export async function unixServer(host: FakeHost): Promise<{ path: string; drop(): void; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'ahp-client-'));
  const path = join(folder, 'host.sock');
  const open = new Set<{ destroy(): void }>();
  const server = createNetServer((socket) => {
    open.add(socket);
    socket.setEncoding('utf8');
    let rest = '';
    host.connect({
      send: (text) => void socket.write(`${text}\n`),
      close: () => void socket.end(),
      onMessage: (listener) =>
        void socket.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) listener(line);
        }),
      onClose: (listener) => void socket.on('close', () => listener({})),
    });
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    drop() {
      for (const socket of open) socket.destroy();
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}
