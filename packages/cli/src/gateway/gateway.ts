import { resolve } from 'node:path';
import {
  authenticatorOf,
  type Blobs,
  connectNatsBus,
  createGatewayAudit,
  createPostgresFleetStore,
  createRegistry,
  FLEET_TABLES,
  filesBlobs,
  gatewayCredential,
  type MemberCredential,
  migrate,
  openPostgres,
  readFleetKeys,
  s3Blobs,
  startGateway,
  systemCredential,
} from '@moorage/fleet';
import {
  type HttpHandler,
  ListenError,
  type LogLevel,
  listenWebSocket,
  nodeClock,
  otelTelemetry,
  telemetryLog,
} from '@moorage/host';
import pc from 'picocolors';
import { assertBusUrl } from '../fleet/bus-url.js';
import { type OidcOptions, readOidc } from '../oidc/options.js';
import { signingIn } from '../oidc/signing-in.js';
import { readTls, refuseOpenAddress } from '../serve/checked-options.js';
import { surviveForgottenFailures } from '../serve/forgotten-failures.js';
import { stderrLog } from '../serve/log.js';
import { page } from '../serve/page.js';
import { listenForStop } from '../serve/stop.js';
import { urlHost } from '../serve/url-host.js';
import { UsageError } from '../usage-error.js';
import { VERSION } from '../version.js';

export interface GatewayCommandOptions extends OidcOptions {
  readonly bus: readonly string[];
  readonly store: string;
  readonly keys: string;
  readonly blobs?: string;
  readonly host: string;
  readonly port: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecure?: boolean;
  readonly origin?: readonly string[];
  readonly hostBus?: readonly string[];
  /** Days. */
  readonly keepDisposed: number;
  readonly keepLog: number;
  /** MiB of each host. */
  readonly keepFiles: number;
  readonly web: boolean;
  readonly logLevel: LogLevel;
  readonly json?: boolean;
}

/** Puts a gateway together, and returns when it has stopped. */
export async function gateway(options: GatewayCommandOptions): Promise<void> {
  const tls = readTls(options);
  refuseOpenAddress(options);
  const oidc = readOidc(options);
  for (const url of [...options.bus, ...(options.hostBus ?? [])]) assertBusUrl(url);
  if (!/^postgres(ql)?:\/\//.test(options.store))
    throw new UsageError('--store: expected an address such as postgres://moorage@db.example/moorage');
  const log = stderrLog(options.logLevel);
  surviveForgottenFailures(log);
  const keys = readFleetKeys(options.keys);
  const blobs = options.blobs === undefined ? undefined : blobsAt(options.blobs);
  const database = openPostgres({ url: options.store });
  await migrate(database, FLEET_TABLES).catch((cause: unknown) => {
    throw new Error(`the database of --store cannot be used: ${messageOf(cause)}`, { cause });
  });
  const telemetry = otelTelemetry({ version: VERSION, log });
  await telemetry?.ready();
  const connect = ({ inboxPrefix, ...credential }: MemberCredential, name: string) =>
    connectNatsBus({ servers: options.bus, name, authenticator: authenticatorOf(credential), inboxPrefix, log });
  const bus = await connect(await gatewayCredential(keys), 'gateway');
  const system = await connect(await systemCredential(keys), 'gateway, for revocations');
  const served = await startGateway({
    bus,
    system,
    registry: createRegistry(database),
    store: createPostgresFleetStore(database, { blobs }),
    audit: createGatewayAudit(database, log),
    retention: { disposedDays: options.keepDisposed, logDays: options.keepLog },
    maxHostFileBytes: options.keepFiles * 1024 * 1024,
    keys,
    busAddresses: options.hostBus ?? options.bus,
    version: VERSION,
    clock: nodeClock,
    log: telemetry ? telemetryLog(log, telemetry) : log,
    telemetry,
  });
  const { admit } = served;
  const signIn = oidc && (await signingIn(oidc, { tls, origins: options.origin, log, admit }));
  const web = await listenWebSocket({
    host: options.host,
    port: options.port,
    ...(tls && { tls }),
    credentials: served.credentials,
    allowedOrigins: options.origin ?? [],
    ...(options.web && { http: pageOfHosts(page()) }),
    ...(signIn && { signIn }),
    isReady: () => bus.isUp,
    onClient: (incoming) => served.accept(incoming),
    clock: nodeClock,
    log,
  }).catch((error: unknown) => {
    if (!(error instanceof ListenError) || error.kind !== 'in-use') throw error;
    throw new Error(`${error.message}\nTake another port with --port NUMBER, or any free one with --port 0`);
  });
  const stop = listenForStop();
  const origin = `${urlHost(options.host)}:${web.port}`;
  announce(options.json === true, {
    url: `${tls ? 'wss' : 'ws'}://${origin}/`,
    web: options.web ? `${tls ? 'https' : 'http'}://${origin}/` : undefined,
    token: served.firstToken,
    protocolVersions: served.protocolVersions,
  });
  await stop.asked;
  await web.close();
  const closed = served.close().then(() => Promise.allSettled([bus.close(), system.close(), database.close()]));
  await stop.stored(Promise.all([closed, telemetry?.close()]));
}

/** A bucket by its address, with the keys that programs for S3 usually find in the environment; else a folder. */
function blobsAt(place: string): Blobs {
  if (!/^https?:/.test(place)) return filesBlobs(resolve(place));
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_REGION: region } = process.env;
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError('--blobs: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_REGION if it matters');
  return s3Blobs({ url: place, accessKeyId, secretAccessKey, region: region || undefined });
}

/** The page of a host is the same page; it connects to where it is. */
function pageOfHosts(handler: HttpHandler): HttpHandler {
  return (request, response) => {
    if (/^\/hosts\/[\w-]{1,64}\/(\?|$)/.test(request.url ?? '')) request.url = '/';
    return handler(request, response);
  };
}

interface Ready {
  readonly url: string;
  readonly web: string | undefined;
  /** Only if it was made just now. */
  readonly token: string | undefined;
  readonly protocolVersions: readonly string[];
}

function announce(asJson: boolean, ready: Ready): void {
  if (asJson) return void process.stdout.write(`${JSON.stringify({ ready: true, ...ready })}\n`);
  const { url, web, token } = ready;
  const rows = [web && `  Web page    ${pc.cyan(web)}`, `  WebSocket   ${url}`].filter((row) => row !== undefined);
  const first =
    token &&
    `\nThe first token, of an admin. It is shown only now:\n  ${token}\nKeep it in a file, then: moorage host add fleet ${url} --token-file FILE\n`;
  process.stdout.write(
    `${pc.bold('The gateway is running.')}\n\n${rows.join('\n')}\n${first ?? ''}\nStop it with Ctrl-C. Hosts and their sessions go on without it.\n`,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
}
