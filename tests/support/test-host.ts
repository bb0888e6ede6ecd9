import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { demoAgent } from '@ahpd/agents/demo';
import {
  type AgentProvider,
  type Clock,
  createHost,
  createTokenCredentials,
  type Host,
  listenWebSocket,
  nodeClock,
  nodeFolders,
  openSqliteStore,
  type Store,
} from '@ahpd/host';
import { chatUri, type SessionState, sessionUri } from '@ahpd/protocol';
import { WireClient } from './wire-client.js';

export interface TestHostOptions {
  readonly agents?: readonly AgentProvider[];
  readonly clock?: Clock;
  /** Wraps the store, to make it fail. */
  readonly store?: (store: Store) => Store;
}

const TOKEN = 'test-token-0123456789';

/** A real host on a real socket with a real store, in this process; it can be stopped and started again. */
export class TestHost {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'ahpd-test-')));
  readonly workspace = realpathSync(mkdtempSync(join(tmpdir(), 'ahpd-workspace-')));
  readonly errors: string[] = [];
  readonly #options: TestHostOptions;
  readonly #clients: WireClient[] = [];
  host!: Host;
  url = '';
  #stop: () => Promise<void> = async () => {};

  static async start(options: TestHostOptions = {}): Promise<TestHost> {
    const host = new TestHost(options);
    await host.start();
    return host;
  }

  constructor(options: TestHostOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const {
      agents = [demoAgent({ isolation: 'none' })],
      clock = nodeClock,
      store: wrap = (store: Store) => store,
    } = this.#options;
    const file = openSqliteStore({ file: join(this.folder, 'ahpd.sqlite') });
    const log = {
      write: (level: string, message: string, fields?: object) => {
        if (level === 'error') this.errors.push(`${message} ${JSON.stringify(fields ?? {})}`);
      },
    };
    this.host = createHost({ store: wrap(file), agents, clock, folders: nodeFolders([this.workspace]), log });
    const listener = await listenWebSocket({
      host: '127.0.0.1',
      port: 0,
      credentials: createTokenCredentials({ token: TOKEN }),
      isReady: () => true,
      onClient: this.host.accept,
      clock: nodeClock,
      log,
    });
    this.url = `ws://127.0.0.1:${listener.port}/`;
    this.#stop = async () => {
      await this.host.close();
      await listener.close();
      file.close();
    };
  }

  /** Stops the host in good order; its data stays. */
  stop(): Promise<void> {
    return this.#stop();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  get token(): string {
    return TOKEN;
  }

  get workspaceUri(): string {
    return pathToFileURL(this.workspace).href;
  }

  async client(options: { clientId?: string; subscriptions?: string[] } = {}): Promise<WireClient> {
    const client = await WireClient.connect({ url: this.url, token: TOKEN, ...options });
    this.#clients.push(client);
    return client;
  }

  async rawClient(clientId?: string): Promise<WireClient> {
    const client = await WireClient.open({ url: this.url, token: TOKEN, ...(clientId !== undefined && { clientId }) });
    this.#clients.push(client);
    return client;
  }

  /** A new session with its default chat, ready and subscribed to by the client. */
  async session(client: WireClient, params: object = {}): Promise<{ session: string; chat: string }> {
    const session = sessionUri.format(crypto.randomUUID());
    await client.request('createSession', {
      channel: session,
      provider: 'demo',
      workingDirectory: this.workspaceUri,
      ...params,
    });
    const state = await client.subscribe<SessionState>(session);
    if (state.lifecycle === 'creating') await client.action(session, 'session/ready');
    const chat = state.defaultChat ?? '';
    await client.subscribe(chat);
    return { session, chat };
  }

  newChatUri(): string {
    return chatUri.format(crypto.randomUUID());
  }

  /** Ends everything; fails when the host broke the wire or logged an error. */
  async dispose({ expectErrors = false } = {}): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.workspace, { recursive: true, force: true });
    if (!expectErrors && this.errors.length > 0) throw new Error(`the host logged errors:\n${this.errors.join('\n')}`);
  }
}

export function userMessage(text: string) {
  return { text, origin: { kind: 'user' as const } };
}
