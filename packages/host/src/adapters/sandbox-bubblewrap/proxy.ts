import { lookup } from 'node:dns';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { SandboxError } from '../../ports/sandbox.js';
import { lookupPublic } from '../shared/private-addresses.js';
import { entryFor } from './listed-hosts.js';

/** Bytes of the path of a unix socket, the last one being a zero. */
const MAX_SOCKET_PATH_BYTES = 107;

/** Connections that sandboxed programs can have at once. */
const MAX_CONNECTIONS = 512;

/** Milliseconds without a byte after which a connection is closed. */
const IDLE_MS = 10 * 60_000;

/**
 * An HTTP proxy on a unix socket: the only way out for programs without a network of their own. It connects to the listed
 * hosts only, and looks up their names itself.
 */
export class ListedNetwork {
  readonly socket: string;
  readonly #hosts: readonly string[];
  readonly #open = new Set<Duplex>();
  #server: Server | undefined;

  constructor(socket: string, hosts: readonly string[]) {
    this.socket = socket;
    this.#hosts = hosts;
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    if (this.#server) return;
    if (Buffer.byteLength(this.socket) > MAX_SOCKET_PATH_BYTES)
      throw new SandboxError(`the path ${this.socket} is too long for a socket; use a data folder with a shorter path`);
    mkdirSync(dirname(this.socket), { recursive: true, mode: 0o700 });
    rmSync(this.socket, { force: true }); // of a host that was killed
    const server = createServer((asked, answer) => this.#forward(asked, answer));
    server.maxConnections = MAX_CONNECTIONS;
    server.on('connection', (socket) => this.#keep(socket));
    server.on('connect', (asked: IncomingMessage, socket: Duplex, head: Buffer) => this.#tunnel(asked, socket, head));
    server.on('clientError', (_error, socket) => socket.destroy());
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.socket, resolve);
    });
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const stream of this.#open) stream.destroy();
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  #tunnel(asked: IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = targetOf(`connect://${asked.url}`);
    const lookup = target && this.#allows(target.host, target.port);
    if (!target || !lookup) {
      socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\n\r\n${refusal(target?.host)}`);
      return;
    }
    const out = connect({ ...target, lookup });
    this.#keep(out);
    out.setTimeout(IDLE_MS, () => out.destroy());
    out.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) out.write(head);
      out.pipe(socket).pipe(out);
    });
    out.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    out.on('close', () => socket.destroy());
    socket.on('error', () => out.destroy());
    socket.on('close', () => out.destroy());
  }

  /** Requests without TLS come whole, with the address of their host. */
  #forward(asked: IncomingMessage, answer: ServerResponse): void {
    const target = /^http:\/\//i.test(asked.url ?? '') ? targetOf(asked.url ?? '') : undefined;
    const lookup = target && this.#allows(target.host, target.port);
    if (!target || !lookup) {
      answer.writeHead(403, { 'content-type': 'text/plain' }).end(refusal(target?.host));
      return;
    }
    const { 'proxy-authorization': _authorization, 'proxy-connection': _connection, ...headers } = asked.headers;
    const { host, port, path } = target;
    const out = request({ host, port, path, method: asked.method, headers, lookup, timeout: IDLE_MS }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    out.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    answer.on('close', () => out.destroy());
    asked.pipe(out);
  }

  /** How the name is looked up; undefined if the host is not listed. */
  #allows(host: string, port: number): LookupFunction | undefined {
    const bare = host.replace(/^\[(.*)\]$/, '$1');
    const entry = entryFor(this.#hosts, host, port);
    if (!entry) return undefined;
    // This machine and its network are reached only if they are listed as such, not by what a name leads to.
    const isLocal = isIP(bare) !== 0 || entry.host === 'localhost';
    return isLocal ? plainLookup : lookupPublic;
  }

  #keep(stream: Socket): void {
    this.#open.add(stream);
    stream.on('close', () => this.#open.delete(stream));
  }
}

const plainLookup: LookupFunction = lookup;

function targetOf(url: string): { host: string; port: number; path: string } | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port, protocol, pathname, search } = new URL(url);
  const usual = protocol === 'http:' ? 80 : 443;
  return hostname === '' ? undefined : { host: hostname, port: Number(port || usual), path: pathname + search };
}

function refusal(host = 'this'): string {
  return `${host} is not among the hosts that the sandbox of this session may reach ("sandbox.hosts" of the configuration)\n`;
}
