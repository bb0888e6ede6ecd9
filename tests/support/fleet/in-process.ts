import { demoAgent } from '@moorage/agents/demo';
import { type Client, connect } from '@moorage/client';
import {
  createFleetKeys,
  createGatewayAudit,
  createPostgresFleetStore,
  createRegistry,
  FLEET_TABLES,
  holdingBack,
  migrate,
  notifyingStore,
  startGateway,
  startShipper,
} from '@moorage/fleet';
import {
  createHost,
  createMemoryBroker,
  createMemoryStore,
  type HostOptions,
  listenBus,
  listenWebSocket,
  nodeClock,
  nodeFolders,
  silentLog,
} from '@moorage/host';
import { startHeartbeat } from '../../../packages/fleet/src/member/heartbeat.js';
import { openPglite } from './pglite.js';

const shared = { clock: nodeClock, log: silentLog };

/** Gateways and hosts on a bus and a database in this process: what they do needs no engine. */
export class InProcessFleet {
  readonly database = openPglite();
  readonly ends: (() => unknown)[] = [];

  /** The database takes its time to start: not that of a test. */
  async ready(): Promise<void> {
    await this.database.query('select 1');
  }

  /** Ends what runs; the next test begins with an empty database. */
  async end(): Promise<void> {
    for (const end of this.ends.splice(0).reverse()) await end();
  }

  async gateway(broker = createMemoryBroker()) {
    const { database, ends } = this;
    await database.execute('drop schema public cascade; create schema public');
    await migrate(database, FLEET_TABLES);
    const registry = createRegistry(database);
    const fleet = createPostgresFleetStore(database);
    const audit = createGatewayAudit(database, silentLog);
    const stored = { at: Promise.resolve() };
    const append: typeof fleet.append = async (all) => {
      await stored.at;
      return fleet.append(all);
    };
    const gateway = await startGateway({
      bus: broker.connect(),
      system: broker.connect(),
      registry,
      store: { ...fleet, append },
      audit,
      retention: { disposedDays: 30, logDays: 30 },
      keys: createFleetKeys(),
      busAddresses: ['nats://bus.example:4222'],
      version: '1.2.3',
      ...shared,
    });
    const { credentials, firstToken: token = '' } = gateway;
    const listener = await listenWebSocket({
      host: '127.0.0.1',
      port: 0,
      credentials,
      onClient: gateway.accept,
      ...shared,
    });
    ends.push(
      () => gateway.close(),
      () => listener.close(),
    );
    const client = async (path = '', as = token): Promise<Client> => {
      const connected = await connect({ url: listener.address + path, token: as, onError: () => {} });
      ends.push(() => connected.close());
      return connected;
    };
    const { admit } = gateway;
    return { broker, registry, stored, audit, admit, client, address: listener.address, token };
  }

  /** A host that is on the bus: what it commits is shipped, and its clients see it after that. */
  async host(
    { broker, registry }: Pick<Awaited<ReturnType<InProcessFleet['gateway']>>, 'broker' | 'registry'>,
    options: Partial<HostOptions> & { readonly name?: string; readonly labels?: string[] } = {},
  ) {
    const { name = 'north', labels = ['gpu'], ...own } = options;
    const { ends } = this;
    const invitation = await registry.invite(labels, Date.now() + 60_000);
    const { host: id = '' } = (await registry.enrol({ ...invitation, name, publicKey: `U${name}` })) ?? {};
    const bus = broker.connect();
    const inner = createMemoryStore();
    const shipper = startShipper({ host: id, feed: inner.feed(), bus, limits: { retry: 20 }, ...shared });
    const store = notifyingStore(inner, () => shipper.notify());
    const agents = [demoAgent({ isolation: 'none' })];
    const host = createHost({ store, agents, folders: nodeFolders([process.cwd()]), ...shared, ...own });
    const toPeople = holdingBack({ shipper, clock: nodeClock });
    const listen = () => listenBus({ bus, host: id, onClient: host.accept, toPeople, ...shared });
    let listener = listen();
    const unshipped = () => shipper.last - shipper.position;
    let heartbeat = startHeartbeat({ bus, host: id, version: '1.2.3', unshipped, clock: nodeClock });
    const leave = async () => {
      heartbeat.stop();
      await listener.close();
    };
    const comeBack = () => {
      listener = listen();
      heartbeat = startHeartbeat({ bus, host: id, version: '1.2.3', clock: nodeClock });
    };
    ends.push(
      () => shipper.close(),
      () => host.close(),
      leave,
    );
    return { id, leave, comeBack, store: inner, commit: store.commit };
  }
}
