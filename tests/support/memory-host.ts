import { type Client, connect } from '@moorage/client';
import {
  type AgentProvider,
  type ClientTransport,
  createHost,
  createMemoryDisk,
  createMemoryStore,
  type Host,
  type Store,
  StoreError,
} from '@moorage/host';
import { createTransportPair, type Transport } from '@moorage/protocol';

/** A host without sockets or files, for thousands of short lives; what it stored outlives it, as a disk would. */
export class MemoryHost {
  readonly #disk = createMemoryDisk();
  readonly #agents: () => readonly AgentProvider[];
  readonly #links = new Set<Transport>();
  readonly #clients: Client[] = [];
  #host!: Host;
  #isAlive = { value: true };

  constructor(agents: () => readonly AgentProvider[]) {
    this.#agents = agents;
    this.#start();
  }

  /** A client that comes back by itself, at once: no time passes here. */
  async client(clientId: string): Promise<Client> {
    const client = await connect({
      transport: () => this.connect(),
      clientId,
      clock: {
        now: () => 0,
        setTimeout: (run) => setImmediate(run),
        clearTimeout: (handle) => clearImmediate(handle as NodeJS.Immediate),
        defer: (run) => setImmediate(run),
      },
      liveness: false,
      requestTimeoutMs: false,
      random: () => 0,
    });
    this.#clients.push(client);
    return client;
  }

  /** Cuts every connection, as a broken network would. */
  cutAll(): void {
    for (const link of [...this.#links]) link.close();
  }

  /** Stops in good order and starts again. */
  async restart(): Promise<void> {
    await this.#host.close();
    this.#start();
  }

  /** Dies without a word: what was not stored by now never will be. */
  crash(): void {
    this.#isAlive.value = false;
    this.cutAll();
    this.#start();
  }

  /** For good: its clients would come back for ever. */
  close(): Promise<void> {
    for (const client of this.#clients) client.close();
    return this.#host.close();
  }

  #start(): void {
    this.#isAlive = { value: true };
    const store = mortal(createMemoryStore(this.#disk), this.#isAlive);
    const folders = {
      roots: [],
      contains: () => false,
      barred: [],
      isBarred: () => false,
      defaultDirectory: undefined,
      resolve: (uri: string) => uri,
    };
    this.#host = createHost({ store, agents: this.#agents(), folders });
  }

  /** The client's end of a new connection. */
  connect(): Transport {
    const [near, far] = createTransportPair();
    this.#links.add(far);
    far.onClose(() => this.#links.delete(far));
    const transport: ClientTransport = {
      send: (text) => far.send(text),
      close: (code, reason) => far.close(code, reason),
      onMessage: (listener) => far.onMessage(listener),
      onClose: (listener) => far.onClose(listener),
      sendBatch: ({ frames }) => {
        for (const frame of frames) far.send(frame);
      },
      backlog: 0,
      onDrain: () => {},
    };
    this.#host.accept({ transport, credential: 'test' });
    return near;
  }
}

/** A store that a dead host cannot write to any more. */
function mortal(store: Store, isAlive: { value: boolean }): Store {
  return {
    get header() {
      return store.header;
    },
    channels: store.channels,
    sessions: store.sessions,
    documents: store.documents,
    commit: (batch) => {
      if (!isAlive.value) throw new StoreError('broken', 'the host is dead');
      store.commit(batch);
    },
    close: () => store.close(),
  };
}
