// A host inside an Express program: its own pages and its agents on one port.
// tests/client/examples.process.test.ts runs it.
import { createServer } from 'node:http';
import { demoAgent } from '@moorage/agents/demo';
import {
  createHost,
  createMemoryStore,
  createTokenCredentials,
  createWebSocketAcceptor,
  nodeFolders,
} from '@moorage/host';
import express from 'express';

const app = express();
app.get('/', (_request, response) => {
  response.send('My own page');
});

const host = createHost({
  store: createMemoryStore(),
  agents: [demoAgent()],
  folders: nodeFolders([process.cwd()]),
});
const acceptor = createWebSocketAcceptor({
  credentials: createTokenCredentials({ owner: process.env.TOKEN ?? '' }),
  onClient: host.accept,
});

const server = createServer(app);
server.on('upgrade', (request, socket, head) => {
  if (request.url?.startsWith('/agents')) acceptor.handleUpgrade(request, socket, head);
  else socket.destroy();
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())));

process.once('SIGTERM', async () => {
  server.close();
  await acceptor.close(); // the clients before the host
  await host.close();
});
