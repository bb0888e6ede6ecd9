import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, connect, openUrl } from '@moorage/client';
import { CliWorld, MOORAGE_BIN, type Ran } from '../cli.js';
import { moorageInProcess } from '../cli-in-process.js';
import { freePort } from '../free-port.js';
import { removeFolder } from '../remove-folder.js';
import { type NatsServer, startNatsWith } from './nats-server.js';
import { type PostgresServer, startPostgres } from './postgres-server.js';

/** A real program of the fleet that has said that it is ready. */
export interface FleetProcess {
  readonly pid: number;
  readonly ready: Readonly<Record<string, string>>;
  readonly stderr: () => string;
  readonly exited: Promise<number | null>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A whole fleet on this machine: engines, keys, gateways and hosts, all of them real processes. */
export class Fleet {
  readonly folder = mkdtempSync(join(tmpdir(), 'moorage-fleet-'));
  /** The machine of an admin: its default host is the fleet. */
  readonly admin = new CliWorld();
  /** More variables for gateways and hosts. */
  readonly env: NodeJS.ProcessEnv = {};
  nats!: NatsServer;
  postgres!: PostgresServer;
  /** Of the admin. */
  token = '';
  readonly #processes: FleetProcess[] = [];
  readonly #clients: Client[] = [];

  /** The bus listens on loopback, or on another address of this machine. */
  async start(address = '127.0.0.1'): Promise<FleetProcess> {
    const port = await freePort();
    const keys = join(this.folder, 'keys');
    const listen = ['--listen', `${address}:${port}`, '--insecure'];
    const { code, err } = await this.moorage('fleet', 'init', keys, ...listen);
    if (code !== 0) throw new Error(err);
    [this.nats, this.postgres] = await Promise.all([
      startNatsWith(join(keys, 'nats.conf'), port, address),
      startPostgres(),
    ]);
    const gateway = await this.gateway();
    this.token = gateway.ready.token ?? '';
    await this.useGateway(gateway);
    return gateway;
  }

  /** Makes a gateway the default host of the admin's command line. */
  async useGateway(gateway: FleetProcess): Promise<void> {
    const file = join(this.folder, 'admin.token');
    writeFileSync(file, this.token, { mode: 0o600 });
    const url = gateway.ready.url ?? '';
    await this.moorage('host', 'add', 'fleet', url, '--token-file', file, '--default');
  }

  /** As the admin, who has no host to start. */
  moorage(...args: string[]): Promise<Ran> {
    return moorageInProcess(args, this.admin.env, this.admin.work);
  }

  gateway(...args: string[]): Promise<FleetProcess> {
    const engines = ['--bus', this.nats.url, '--store', this.postgres.url, '--keys', join(this.folder, 'keys')];
    return this.run('gateway', ...engines, '--port', '0', '--json', ...args);
  }

  async invitation(...args: string[]): Promise<string> {
    const { out, err } = await this.moorage('fleet', 'enrol', '--json', ...args);
    if (out === '') throw new Error(err);
    return JSON.parse(out).token;
  }

  /** The data folder of a host. */
  dataDir(name: string): string {
    return join(this.folder, `data-${name}`);
  }

  /** A host that listens on nothing. */
  host(name: string, ...args: string[]): Promise<FleetProcess> {
    return this.hostBy([], name, ...args);
  }

  hostBy(program: readonly string[], name: string, ...args: string[]): Promise<FleetProcess> {
    const root = join(this.folder, `work-${name}`);
    mkdirSync(root, { recursive: true });
    const own = ['--name', name, '--data-dir', this.dataDir(name), '--root', root];
    return this.runBy(program, 'serve', '--fleet', this.nats.url, ...own, '--json', ...args);
  }

  /** `onText` is given every message that arrives. */
  async client(
    gateway: FleetProcess,
    path = '',
    token = this.token,
    onText: (text: string) => void = () => {},
  ): Promise<Client> {
    const transport = async () => {
      const opened = await openUrl(`${gateway.ready.url}${path}`, token);
      opened.onMessage(onText);
      return opened;
    };
    const client = await connect({ transport, onError: () => {} });
    this.#clients.push(client);
    return client;
  }

  run(...args: string[]): Promise<FleetProcess> {
    return this.runBy([], ...args);
  }

  /** Run by another program, such as one that changes the network that it sees. */
  runBy(program: readonly string[], ...args: string[]): Promise<FleetProcess> {
    const [first = '', ...words] = [...program, process.execPath, MOORAGE_BIN, ...args];
    const child = spawn(first, words, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...this.admin.env, ...this.env },
      cwd: this.folder,
    });
    return readyProcess(child).then((started) => {
      this.#processes.push(started);
      return started;
    });
  }

  async end(): Promise<void> {
    for (const client of this.#clients) client.close();
    await Promise.all(this.#processes.map((process) => process.stop('SIGKILL')));
    await this.admin.end();
    await this.nats?.end();
    await this.postgres?.end();
    await removeFolder(this.folder);
  }
}

function readyProcess(child: ChildProcess): Promise<FleetProcess> {
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return new Promise((resolve, reject) => {
    void exited.then((code) => reject(new Error(`it ended with ${code}: ${said}`)));
    createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }).once('line', (line) =>
      resolve({
        pid: child.pid ?? 0,
        ready: JSON.parse(line),
        stderr: () => said,
        exited,
        stop: (signal = 'SIGTERM') => {
          if (child.exitCode === null && child.signalCode === null) child.kill(signal);
          return exited;
        },
      }),
    );
  });
}
