import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  createHost,
  createTokenCredentials,
  fileAudit,
  filePeople,
  gitWorkspaces,
  gitWorktrees,
  httpHostTools,
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
  nodeWatcher,
  openSqliteStore,
  otelTelemetry,
  PairingCodes,
  personOf,
  type SignedIn,
  serveStdio,
  sqliteConversationIndex,
  telemetryLog,
} from '@moorage/host';
import { ExtensionMeta } from '@moorage/protocol';
import { configFile } from '../config-file.js';
import { defaultDataFolder, prepareDataFolder } from '../data-folder.js';
import type { Member, MemberOptions } from '../fleet/member.js';
import { removeHostFile, writeHostFile } from '../host-file.js';
import { type OidcOptions, readOidc } from '../oidc/options.js';
import { signingIn } from '../oidc/signing-in.js';
import { VERSION } from '../version.js';
import { agentCommands, agentsOf } from './agents.js';
import { existingFolders, readTls, refuseOpenAddress } from './checked-options.js';
import { defaultConfig, readConfig } from './config.js';
import { configurationIn } from './configuration.js';
import { surviveForgottenFailures } from './forgotten-failures.js';
import { boundHeapGrowth } from './heap-growth.js';
import { stderrLog } from './log.js';
import { mcpServersOf } from './mcp-servers.js';
import { notificationsOf } from './notifications.js';
import { page } from './page.js';
import { makePlayground } from './playground.js';
import { reachablePage } from './reachable-page.js';
import { announce } from './ready.js';
import { sandboxOf } from './sandbox.js';
import { listenForStop } from './stop.js';
import { readGivenToken, readOrMakeToken } from './token-file.js';
import { urlHost } from './url-host.js';

export interface ServeOptions extends OidcOptions {
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
  /** Addresses of the bus of the fleet that the host is a member of. */
  readonly fleet?: readonly string[];
  readonly enrol?: string;
  readonly name?: string;
  /** In a fleet: whether it gets the files of sessions, as they are after each turn. */
  readonly shipFiles: boolean;
  /** In a fleet: whether agents go on while the host is cut off from it. */
  readonly onIsolation: 'continue' | 'pause';
  /** False: in a fleet, without an address of its own. */
  readonly listens: boolean;
}

/** The composition root: puts all the real parts together, and returns when the host has stopped. */
export async function serve(options: ServeOptions): Promise<void> {
  boundHeapGrowth();
  const tls = readTls(options);
  refuseOpenAddress(options);
  const oidc = readOidc(options);
  const dataDir = resolve(options.dataDir ?? defaultDataFolder());
  const log = stderrLog(options.logLevel);
  surviveForgottenFailures(log);
  const file = options.config ?? defaultConfig();
  const config = file === undefined ? {} : readConfig(file);
  prepareDataFolder(dataDir);
  const lock = lockFolder(dataDir);
  try {
    const member = options.fleet && (await joinFleet({ ...options, fleet: options.fleet, dataDir, log }));
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
    const ownStore = openSqliteStore({
      file: join(dataDir, 'store.sqlite'),
      log,
      checkUpTo: CHECK_BYTES,
      synchronous: options.durability,
    });
    const store = member ? member.shipping(ownStore) : ownStore;
    await member?.findLost(store);
    const telemetry = otelTelemetry({ version: VERSION, log });
    if (member) {
      telemetry?.observe('ahp.fleet.unshipped_ticks', () => member.unshipped);
      telemetry?.observe('ahp.fleet.unshipped_files', () => member.unshippedFiles);
    }
    await telemetry?.ready(); // so that the endpoint hears everything from the start
    const repositories = {
      mayUse: (path: string) => folders.contains(path),
      trusts: (path: string) => trusted.contains(path),
    };
    const worktrees = gitWorktrees({ directory: join(dataDir, 'worktrees'), telemetry, repositories });
    const folders = nodeFolders([...roots, worktrees.directory], [dataDir]);
    let ownPage: string | undefined; // known once the port is, as is the next
    let reachableAt: string | undefined;
    const audit = fileAudit(join(dataDir, 'audit.jsonl'));
    const owner = createTokenCredentials({ token });
    const people = filePeople({ file: join(dataDir, 'people.json'), clock: nodeClock });
    const codes = new PairingCodes({ clock: nodeClock, invitation: (secret) => people.redeem(secret) });
    const pairing = {
      create: (credential: string) => ({
        ...codes.create(() => (personOf(credential) === undefined ? token : people.tokenFor(credential))),
        page: reachableAt,
      }),
    };
    const exportedLog = telemetry ? telemetryLog(log, telemetry) : log;
    const watcher = nodeWatcher({ marks: join(dataDir, 'marks') });
    const { hostTools = 'off' } = config;
    const endpoint = hostTools === 'off' ? undefined : await httpHostTools(exportedLog);
    const workspaces = gitWorkspaces({
      watcher,
      directory: join(dataDir, 'workspaces'),
      clock: nodeClock,
      log: exportedLog,
      telemetry,
      repositories,
    });
    const host = createHost({
      store,
      agents: agentsOf(config, dataDir, exportedLog),
      folders,
      files: nodeFiles({ directory: join(dataDir, 'unfinished') }),
      watcher,
      workspaces,
      customizations: { userHome: homedir(), plugins: config.plugins ?? [] },
      mcp: { servers: mcpServersOf(config.mcpServers ?? {}, file) },
      conversationIndex: sqliteConversationIndex(join(dataDir, 'search.sqlite')),
      automations: true,
      ...(endpoint && { hostTools: { endpoint, enabled: hostTools === 'on' } }),
      notifications: notificationsOf(config.notifications ?? {}, dataDir, () => ownPage),
      audit,
      people: { people, page: () => reachableAt ?? ownPage },
      ...(options.web && { pairing }),
      configuration: configurationIn(file ?? configFile()),
      worktrees,
      sandbox: sandboxOf(config.sandbox ?? {}, dataDir, [tokenFile, file, options.socket]),
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
    const admit = (somebody: SignedIn) => people.signIn(somebody);
    const signIn = oidc && (await signingIn(oidc, { tls, origins: config.allowedOrigins, log: exportedLog, admit }));
    const listen = () =>
      listenWebSocket({
        ...shared,
        host: options.host,
        port: options.port,
        ...(tls && { tls }),
        credentials: { check: (shown) => [owner.check(shown), people.check(shown)].find((name) => name !== undefined) },
        allowedOrigins: config.allowedOrigins ?? [],
        ...(options.web && { http: page(config.otherHosts), pairing: codes }),
        ...(signIn && { signIn }),
        isReady: () => ready,
      }).catch((error: unknown) => {
        if (!(error instanceof ListenError) || error.kind !== 'in-use') throw error;
        throw new Error(`${error.message}\nTake another port with --port NUMBER, or any free one with --port 0`);
      });
    const web = options.listens ? await listen() : undefined;
    const listeners: Listener[] = web ? [web] : [];
    if (options.socket !== undefined)
      listeners.push(await listenUnixSocket({ ...shared, path: resolve(options.socket) }));
    const stop = listenForStop(); // before we announce ourselves: whoever reads that may stop us at once
    if (member) listeners.push(member.listen(host.accept));
    member?.moveSessions({ host, workspaces, folders, store });
    if (options.shipFiles) member?.shipFiles({ workspaces, folders, store });
    ready = true;
    const origin = web && `${urlHost(options.host)}:${web.port}`;
    ownPage = origin && options.web ? `${tls ? 'https' : 'http'}://${origin}/` : undefined;
    if (web && options.web) {
      const { page: configured } = config.notifications ?? {};
      reachableAt = reachablePage({ host: options.host, port: web.port, tls: tls !== undefined, page: configured });
    }
    const url = origin && `${tls ? 'wss' : 'ws'}://${origin}/`;
    const socket = options.socket === undefined ? {} : { socket: resolve(options.socket) };
    if (url) writeHostFile(dataDir, { url, pid: process.pid, tokenFile, ...socket, version: VERSION });
    await announce(options.json && !options.stdio ? 'json' : options.stdio ? 'quiet' : 'text', {
      url,
      web: ownPage && `${ownPage}#token=${token}`,
      fleet: member?.id,
      pairing: reachableAt === undefined || options.json || options.stdio ? undefined : pairing.create('token'),
      token,
      protocolVersions: host.protocolVersions,
      dataDir,
      folders: roots,
      hint: playground && 'Open the web page, or talk to the demo agent from another terminal: npm run chat',
    });
    if (options.stdio) listeners.push(serveStdio({ ...shared, input: process.stdin, output: process.stdout }));
    await (member ? Promise.race([stop.asked, endOfMembership(member, listeners.length > 1)]) : stop.asked);
    ready = false;
    removeHostFile(dataDir);
    await stopAll(log, listeners, host.close);
    people.close();
    audit.close();
    await stop.stored(Promise.all([telemetry?.close(), member?.leave()]));
    ownStore.close();
  } finally {
    lock.release();
  }
}

/** Nothing of the fleet is loaded before. */
async function joinFleet(options: MemberOptions): Promise<Member> {
  const { joinAsMember } = await import('../fleet/member.js');
  return joinAsMember(options);
}

/** Says that the fleet has revoked the host. Resolves if nobody can reach it then, so that it had better stop. */
async function endOfMembership({ revoked }: Member, hasOtherListeners: boolean): Promise<void> {
  await revoked;
  process.stderr.write('moorage: the fleet has revoked this host\n');
  if (hasOtherListeners) return new Promise(() => {});
  process.exitCode = 1;
}

/** A store of up to this many bytes is checked as a whole at each start, in some 40 ms; `moorage recover --check` does it for larger ones. */
const CHECK_BYTES = 8 * 1024 * 1024;

async function stopAll(log: Log, listeners: readonly Listener[], closeHost: () => Promise<void>): Promise<void> {
  const closing = [closeHost(), ...listeners.map((listener) => listener.close())];
  for (const result of await Promise.allSettled(closing)) {
    if (result.status === 'rejected')
      log.write('error', 'host.stop-failed', 'stopping cleanly failed', { error: String(result.reason) });
  }
}
