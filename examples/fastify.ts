// A host inside a Fastify program: its own pages and its agents on one port.
// tests/client/examples.process.test.ts runs it.
import { demoAgent } from '@moorage/agents/demo';
import {
  createHost,
  createMemoryStore,
  createTokenCredentials,
  createWebSocketAcceptor,
  nodeFolders,
} from '@moorage/host';
import fastify from 'fastify';

const app = fastify();
app.get('/', async () => 'My own page');

const host = createHost({
  store: createMemoryStore(),
  agents: [demoAgent()],
  folders: nodeFolders([process.cwd()]),
});
const acceptor = createWebSocketAcceptor({
  credentials: createTokenCredentials({ owner: process.env.TOKEN ?? '' }),
  onClient: host.accept,
});

app.server.on('upgrade', (request, socket, head) => {
  if (request.url?.startsWith('/agents')) acceptor.handleUpgrade(request, socket, head);
  else socket.destroy();
});
// Not onClose: that comes when the server has no connections any more, and these are some.
app.addHook('preClose', async () => {
  await acceptor.close(); // the clients before the host
  await host.close();
});
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify(app.server.address()));

process.once('SIGTERM', () => app.close());
