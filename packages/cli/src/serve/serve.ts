import { readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  createHost,
  createTokenCredentials,
  gitWorkspaces,
  gitWorktrees,
  type HttpHandler,
  type Listener,
  type Log,
  type LogLevel,
  listenUnixSocket,
  listenWebSocket,
  lockFolder,
  nodeClock,
  nodeFiles,
  nodeFolders,
  nodePtys,
  nodeShells,
  openSqliteStore,
  otelTelemetry,
  serveStdio,
  telemetryLog,
} from '@ahpd/host';
import { defaultDataFolder } from '../data-folder.js';
import { removeHostFile, writeHostFile } from '../host-file.js';
import { UsageError } from '../usage-error.js';
import { VERSION } from '../version.js';
import { agentsOf } from './agents.js';
import { readConfig } from './config.js';
import { boundHeapGrowth } from './heap-growth.js';
import { stderrLog } from './log.js';
import { mcpServersOf } from './mcp-servers.js';
import { makePlayground } from './playground.js';
import { announce } from './ready.js';
import { siteFolder } from './site-folder.js';
import { statusPage } from './status-page.js';
import { untilStopped } from './stop.js';
import { readOrMakeToken } from './token-file.js';
import { webPage } from './web-page.js';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly dataDir?: string;
  readonly root?: readonly string[];
  readonly config?: string;
  readonly tokenFile?: string;
  readonly socket?: string;
  readonly stdio?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecure?: boolean;
  readonly web: boolean;
  readonly playground?: boolean;
  readonly logLevel: LogLevel;
  readonly json?: boolean;
}

/** The composition root: everything real, put together. Returns when the host has stopped. */
export async function serve(options: ServeOptions): Promise<void> {
  boundHeapGrowth();
  const tls = readTls(options);
  refuseOpenAddress(options);
  const dataDir = resolve(options.dataDir ?? defaultDataFolder());
  const log = stderrLog(options.logLevel);
  surviveForgottenFailures(log);
  const config = options.config === undefined ? {} : readConfig(options.config);
  const lock = lockFolder(dataDir);
  let isTelemetryDone = true;
  try {
    const playground = options.playground ? makePlayground(dataDir) : undefined;
    const roots = existing(options.root ?? (playground ? [playground] : (config.roots ?? ['.'])));
    const tokenFile = resolve(options.tokenFile ?? join(dataDir, 'token'));
    const token = readOrMakeToken(tokenFile, options.tokenFile !== undefined);
    const store = openSqliteStore({ file: join(dataDir, 'ahpd.sqlite'), log, checkUpTo: CHECK_BYTES });
    const telemetry = otelTelemetry({ version: VERSION, log });
    await telemetry?.ready(); // an endpoint hears of the host from its start, and not from somewhere in its first turn
    const worktrees = gitWorktrees({ directory: join(dataDir, 'worktrees'), telemetry });
    const toldLog = telemetry ? telemetryLog(log, telemetry) : log;
    const host = createHost({
      store,
      agents: agentsOf(config, dataDir, toldLog),
      folders: nodeFolders([...roots, worktrees.directory], [dataDir]),
      files: nodeFiles({ directory: join(dataDir, 'unfinished') }),
      workspaces: gitWorkspaces({ directory: join(dataDir, 'workspaces'), clock: nodeClock, log: toldLog, telemetry }),
      customizations: { userHome: homedir(), plugins: config.plugins ?? [] },
      mcp: { servers: mcpServersOf(config.mcpServers ?? {}, options.config) },
      worktrees,
      terminals: { ptys: nodePtys(), shells: nodeShells({ directory: join(dataDir, 'shells') }) },
      log,
      telemetry,
      meta: { hostBuild: { name: 'ahpd', version: VERSION } },
    });
    let ready = false;
    const shared = { onClient: host.accept, clock: nodeClock, log: toldLog };
    const web = await listenWebSocket({
      ...shared,
      host: options.host,
      port: options.port,
      ...(tls && { tls }),
      credentials: createTokenCredentials({ token }),
      allowedOrigins: config.allowedOrigins ?? [],
      ...(options.web && { http: page(config.otherHosts) }),
      isReady: () => ready,
    });
    const listeners: Listener[] = [web];
    if (options.socket !== undefined)
      listeners.push(await listenUnixSocket({ ...shared, path: resolve(options.socket) }));
    ready = true;
    const origin = `${urlHost(options.host)}:${web.port}`;
    const url = `${tls ? 'wss' : 'ws'}://${origin}/`;
    const socket = options.socket === undefined ? {} : { socket: resolve(options.socket) };
    const stopped = untilStopped(); // before anybody is told that it serves: the first thing they say may be stop
    writeHostFile(dataDir, { url, pid: process.pid, tokenFile, ...socket, version: VERSION });
    announce(options.json && !options.stdio ? 'json' : options.stdio ? 'quiet' : 'text', {
      url,
      web: options.web ? `${tls ? 'https' : 'http'}://${origin}/#token=${token}` : undefined,
      token,
      protocolVersions: host.protocolVersions,
      dataDir,
      folder: roots[0],
      hint: playground && 'Open the web page, or talk to the demo agent from another terminal: npm run chat',
    });
    if (options.stdio) listeners.push(serveStdio({ ...shared, input: process.stdin, output: process.stdout }));
    await stopped;
    ready = false;
    removeHostFile(dataDir);
    await stopAll(log, listeners, host.close);
    isTelemetryDone = (await telemetry?.close()) ?? true;
    store.close();
  } finally {
    lock.release();
  }
  if (!isTelemetryDone) process.exit(0); // an exporter whose endpoint does not answer would keep the process
}

/** A failure that nobody waited for concerns what failed; Node would end the process, and with it everybody's turns. */
function surviveForgottenFailures(log: Log): void {
  process.on('unhandledRejection', (reason) => {
    const error = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    log.write('error', 'something failed that nobody waited for', { error });
  });
}

/** Bytes of a store that is looked at as a whole at each start: some 40 ms. A larger one is with `ahpd recover --check`. */
const CHECK_BYTES = 8 * 1024 * 1024;

function page(otherHosts: readonly string[] | undefined): HttpHandler {
  const folder = siteFolder();
  return folder === undefined ? statusPage(VERSION) : webPage(folder, otherHosts);
}

async function stopAll(log: Log, listeners: readonly Listener[], closeHost: () => Promise<void>): Promise<void> {
  const closing = [closeHost(), ...listeners.map((listener) => listener.close())];
  for (const result of await Promise.allSettled(closing)) {
    if (result.status === 'rejected') log.write('error', 'could not stop cleanly', { error: String(result.reason) });
  }
}

function readTls({ tlsCert, tlsKey }: ServeOptions): { cert: Buffer; key: Buffer } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) throw new UsageError('--tls-cert and --tls-key go together');
  return { cert: readPem('--tls-cert', tlsCert), key: readPem('--tls-key', tlsKey) };
}

function readPem(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError(`${option}: cannot read ${file}`);
  }
}

function refuseOpenAddress({ host, tlsCert, insecure }: ServeOptions): void {
  const loopback = host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
  if (loopback || tlsCert !== undefined || insecure) return;
  throw new UsageError(
    `${host} can be reached from other machines: give --tls-cert and --tls-key, or --insecure to allow it`,
  );
}

function existing(roots: readonly string[]): string[] {
  return roots.map((root) => {
    const path = resolve(root);
    try {
      if (statSync(path).isDirectory()) return realpathSync(path);
    } catch {
      throw new UsageError(`--root: there is no folder ${path}`);
    }
    throw new UsageError(`--root: ${path} is not a folder`);
  });
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
