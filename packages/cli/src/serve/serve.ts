import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  createHost,
  createTokenCredentials,
  gitWorkspaces,
  gitWorktrees,
  type HttpHandler,
  ListenError,
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
  PairingCodes,
  serveStdio,
  sqliteConversationIndex,
  telemetryLog,
} from '@moorage/host';
import { ExtensionMeta } from '@moorage/protocol';
import { defaultDataFolder, prepareDataFolder } from '../data-folder.js';
import { removeHostFile, writeHostFile } from '../host-file.js';
import { VERSION } from '../version.js';
import { agentCommands, agentsOf } from './agents.js';
import { existingFolders, readTls, refuseOpenAddress } from './checked-options.js';
import { defaultConfig, readConfig } from './config.js';
import { boundHeapGrowth } from './heap-growth.js';
import { stderrLog } from './log.js';
import { mcpServersOf } from './mcp-servers.js';
import { notificationsOf } from './notifications.js';
import { makePlayground } from './playground.js';
import { reachablePage } from './reachable-page.js';
import { announce } from './ready.js';
import { siteFolder } from './site-folder.js';
import { statusPage } from './status-page.js';
import { listenForStop } from './stop.js';
import { readGivenToken, readOrMakeToken } from './token-file.js';
import { webPage } from './web-page.js';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly dataDir?: string;
  readonly root?: readonly string[];
  readonly trust?: readonly string[];
  readonly config?: string;
  readonly tokenFile?: string;
  readonly socket?: string;
  readonly stdio?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecure?: boolean;
  readonly durability: 'normal' | 'full';
  readonly web: boolean;
  readonly playground?: boolean;
  readonly logLevel: LogLevel;
  readonly json?: boolean;
}

/** The composition root: puts all the real parts together, and returns when the host has stopped. */
export async function serve(options: ServeOptions): Promise<void> {
  boundHeapGrowth();
  const tls = readTls(options);
  refuseOpenAddress(options);
  const dataDir = resolve(options.dataDir ?? defaultDataFolder());
  const log = stderrLog(options.logLevel);
  surviveForgottenFailures(log);
  const file = options.config ?? defaultConfig();
  const config = file === undefined ? {} : readConfig(file);
  prepareDataFolder(dataDir);
  const lock = lockFolder(dataDir);
  try {
    const playground = options.playground ? makePlayground(dataDir) : undefined;
    const roots =
      options.root === undefined && playground === undefined && config.roots !== undefined
        ? existingFolders(`${file}: roots`, config.roots)
        : existingFolders('--root', options.root ?? [playground ?? '.']);
    const trusted = nodeFolders([
      ...existingFolders('--trust', options.trust ?? []),
      ...existingFolders(`${file}: trust`, config.trust ?? []),
    ]);
    const tokenFile = resolve(options.tokenFile ?? join(dataDir, 'token'));
    const token = options.tokenFile === undefined ? readOrMakeToken(tokenFile) : readGivenToken(tokenFile);
    const store = openSqliteStore({
      file: join(dataDir, 'store.sqlite'),
      log,
      checkUpTo: CHECK_BYTES,
      synchronous: options.durability,
    });
    const telemetry = otelTelemetry({ version: VERSION, log });
    await telemetry?.ready(); // so that the endpoint hears everything from the start
    const repositories = {
      mayUse: (path: string) => folders.contains(path),
      trusts: (path: string) => trusted.contains(path),
    };
    const worktrees = gitWorktrees({ directory: join(dataDir, 'worktrees'), telemetry, repositories });
    const folders = nodeFolders([...roots, worktrees.directory], [dataDir]);
    let ownPage: string | undefined; // known once the port is, as is the next
    let reachableAt: string | undefined;
    const codes = new PairingCodes({ token, clock: nodeClock });
    const pairing = { create: () => ({ ...codes.create(), page: reachableAt }) };
    const exportedLog = telemetry ? telemetryLog(log, telemetry) : log;
    const host = createHost({
      store,
      agents: agentsOf(config, dataDir, exportedLog),
      folders,
      files: nodeFiles({ directory: join(dataDir, 'unfinished') }),
      workspaces: gitWorkspaces({
        directory: join(dataDir, 'workspaces'),
        clock: nodeClock,
        log: exportedLog,
        telemetry,
        repositories,
      }),
      customizations: { userHome: homedir(), plugins: config.plugins ?? [] },
      mcp: { servers: mcpServersOf(config.mcpServers ?? {}, file) },
      conversationIndex: sqliteConversationIndex(join(dataDir, 'search.sqlite')),
      notifications: notificationsOf(config.notifications ?? {}, dataDir, () => ownPage),
      ...(options.web && { pairing }),
      worktrees,
      terminals: { ptys: nodePtys(), shells: nodeShells({ directory: join(dataDir, 'shells') }) },
      log,
      telemetry,
      info: { name: 'moorage', title: 'Moorage', version: VERSION },
      // Not `hostBuild`: a client that finds a version there takes the host for VS Code's own (V-9).
      meta: {
        'moorage.build': { name: 'moorage', version: VERSION },
        [ExtensionMeta.knownAgents]: agentCommands(config),
      },
    });
    let ready = false;
    const shared = { onClient: host.accept, clock: nodeClock, log: exportedLog };
    const web = await listenWebSocket({
      ...shared,
      host: options.host,
      port: options.port,
      ...(tls && { tls }),
      credentials: createTokenCredentials({ token }),
      allowedOrigins: config.allowedOrigins ?? [],
      ...(options.web && { http: page(config.otherHosts), pairing: codes }),
      isReady: () => ready,
    }).catch((error: unknown) => {
      if (!(error instanceof ListenError) || error.kind !== 'in-use') throw error;
      throw new Error(`${error.message}\nTake another port with --port NUMBER, or any free one with --port 0`);
    });
    const listeners: Listener[] = [web];
    if (options.socket !== undefined)
      listeners.push(await listenUnixSocket({ ...shared, path: resolve(options.socket) }));
    ready = true;
    const origin = `${urlHost(options.host)}:${web.port}`;
    ownPage = options.web ? `${tls ? 'https' : 'http'}://${origin}/` : undefined;
    if (options.web) {
      const { page: configured } = config.notifications ?? {};
      reachableAt = reachablePage({ host: options.host, port: web.port, tls: tls !== undefined, page: configured });
    }
    const url = `${tls ? 'wss' : 'ws'}://${origin}/`;
    const socket = options.socket === undefined ? {} : { socket: resolve(options.socket) };
    const stop = listenForStop(); // before we announce ourselves: whoever reads that may stop us at once
    writeHostFile(dataDir, { url, pid: process.pid, tokenFile, ...socket, version: VERSION });
    await announce(options.json && !options.stdio ? 'json' : options.stdio ? 'quiet' : 'text', {
      url,
      web: ownPage && `${ownPage}#token=${token}`,
      pairing: reachableAt === undefined || options.json || options.stdio ? undefined : pairing.create(),
      token,
      protocolVersions: host.protocolVersions,
      dataDir,
      folders: roots,
      hint: playground && 'Open the web page, or talk to the demo agent from another terminal: npm run chat',
    });
    if (options.stdio) listeners.push(serveStdio({ ...shared, input: process.stdin, output: process.stdout }));
    await stop.asked;
    ready = false;
    removeHostFile(dataDir);
    await stopAll(log, listeners, host.close);
    await stop.stored(telemetry?.close());
    store.close();
  } finally {
    lock.release();
  }
}

/** A rejected promise that nobody awaits is a bug in one place; by default Node would end everybody's turns for it. */
function surviveForgottenFailures(log: Log): void {
  process.on('unhandledRejection', (reason) => {
    const error = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    log.write('error', 'host.unexpected-error', 'an error was thrown outside of any request', { error });
  });
}

/** A store of up to this many bytes is checked as a whole at each start, in some 40 ms; `moorage recover --check` does it for larger ones. */
const CHECK_BYTES = 8 * 1024 * 1024;

function page(otherHosts: readonly string[] | undefined): HttpHandler {
  const folder = siteFolder();
  return folder === undefined ? statusPage(VERSION) : webPage(folder, otherHosts);
}

async function stopAll(log: Log, listeners: readonly Listener[], closeHost: () => Promise<void>): Promise<void> {
  const closing = [closeHost(), ...listeners.map((listener) => listener.close())];
  for (const result of await Promise.allSettled(closing)) {
    if (result.status === 'rejected')
      log.write('error', 'host.stop-failed', 'stopping cleanly failed', { error: String(result.reason) });
  }
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
