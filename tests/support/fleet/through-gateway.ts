import { createMemoryBroker, type Incoming, type Log, listenBus, nodeClock } from '@moorage/host';
import { HostRoute } from '../../../packages/fleet/src/gateway/host-route.js';

/** Whether tests of hosts reach them through a gateway: `npm run test:fleet` runs suites once more in this way. */
export const IS_THROUGH_GATEWAY = process.env.THROUGH_GATEWAY === '1';

/**
 * The way through a gateway to a host in this process. The host is told who comes as it would be without one: what people may
 * do in a fleet is for other tests.
 */
export function throughGateway(onClient: (incoming: Incoming) => void, log: Log) {
  const broker = createMemoryBroker();
  const shared = { clock: nodeClock, log };
  const listener = listenBus({
    bus: broker.connect(),
    host: 'host',
    onClient: ({ vouched, ...incoming }) => onClient({ ...incoming, credential: vouched?.name ?? '' }),
    ...shared,
  });
  const route = new HostRoute({ bus: broker.connect(), acceptAway: () => false, ...shared });
  return {
    accept: (incoming: Incoming): void => {
      route.accept({ ...incoming, path: '/hosts/host/' }, { name: incoming.credential, role: 'admin' });
    },
    close: () => listener.close(),
  };
}
