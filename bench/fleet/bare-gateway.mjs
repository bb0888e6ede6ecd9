// The part of a gateway that serves clients of a host, on a bus whose address the parent gives.
import { connectNatsBus } from '@moorage/fleet';
import { createTokenCredentials, listenWebSocket, nodeClock } from '@moorage/host';
import { HostRoute } from '../../packages/fleet/dist/gateway/host-route.js';
import { answerParent } from '../host/child.mjs';
import { TOKEN } from '../host/shared.mjs';

const log = { write: () => {} };
const bus = await connectNatsBus({ servers: [process.argv[2]], name: 'gateway' });
const route = new HostRoute({ bus, acceptAway: () => false, clock: nodeClock, log });
const { port } = await listenWebSocket({
  host: '127.0.0.1',
  port: 0,
  credentials: createTokenCredentials({ bench: TOKEN }),
  isReady: () => true,
  onClient: (incoming) => route.accept({ ...incoming, path: '/hosts/bench/' }, { name: 'bench', role: 'admin' }),
  clock: nodeClock,
  log,
});
answerParent(port, {});
