import { connect as connectSocket, type Socket } from 'node:net';
import {
  type ActionEnvelope,
  channelRegistry,
  command,
  isObject,
  JsonRpcErrorCodes,
  kindOfUri,
  lenient,
  notificationRow,
  requestRow,
  strict,
} from '@moorage/protocol';
import { WebSocket } from 'ws';
import { shapeProblem } from '../../../packages/protocol/test/support/shapes.js';
import type { Version } from '../legacy/client.js';
import type { Message } from './messages.js';
import type { Schema } from './values.js';

type Wire = Record<string, unknown>;

export interface FuzzClientOptions {
  readonly url: string;
  readonly token: string;
  /** Set for one that comes over the unix socket. */
  readonly socketPath?: string;
  readonly version: Version;
  readonly clientId: string;
  readonly isStrict: () => boolean;
  /** Told of everything that the host must never do. */
  readonly onViolation: (what: string) => void;
  /** How it answers when the host asks. */
  readonly answer: () => unknown;
}

/** A ping that takes longer than this is a hang; machines are shared, so it is long. */
const HANG_MS = 60_000;

/** What a connection may be closed with because of what was sent: never a fault of the host (1011). */
const FAIR_CLOSES: ReadonlySet<number> = new Set([1000, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1013, 4001]);

/** Sends anything, and holds everything that comes back against the schemas. */
export class FuzzClient {
  readonly options: FuzzClientOptions;
  readonly #asked = new Map<
    number | string,
    { method: string; text?: string; isInvalid: boolean; settle?: (message: Wire) => void }
  >();
  readonly #invalidSeqs = new Set<number>();
  #link: { send(data: string | Buffer): void; raw(data: Buffer): void; close(): void } | undefined;
  #closed: Promise<void> = Promise.resolve();
  #lastSeq = 0;
  #ids = 0;
  #clientSeq = 0;
  /** Messages that were sent, and answers that came. */
  sent = 0;
  answers = 0;
  envelopes = 0;
  rejections = 0;
  closes = 0;

  constructor(options: FuzzClientOptions) {
    this.options = options;
  }

  get isEarly(): boolean {
    return this.options.version === 1 || this.options.version === '0.1.0';
  }

  get isNative(): boolean {
    return this.options.version === '1.0.0';
  }

  get isOpen(): boolean {
    return this.#link !== undefined;
  }

  /** Requests that are not answered yet. */
  get unanswered(): { method: string; text?: string }[] {
    return [...this.#asked.values()];
  }

  async open(): Promise<void> {
    if (this.#link) return;
    this.#asked.clear();
    this.#lastSeq = 0;
    await (this.options.socketPath === undefined
      ? this.#openWebSocket()
      : this.#openUnixSocket(this.options.socketPath));
    const { version, clientId } = this.options;
    const channel = this.isEarly ? {} : { channel: 'ahp-root://' };
    const versions = version === 1 ? { protocolVersion: 1 } : { protocolVersions: [version] };
    await this.request('initialize', { ...channel, ...versions, clientId, initialSubscriptions: [this.root] });
  }

  get root(): string {
    return this.isEarly ? 'agenthost:/root' : 'ahp-root://';
  }

  async close(): Promise<void> {
    this.#link?.close();
    await this.#closed;
  }

  /** Waits for an answer; undefined when the connection closes before. */
  request(method: string, params: object): Promise<Wire | undefined> {
    const id = ++this.#ids;
    return new Promise((resolve) => {
      const limit = setTimeout(() => {
        this.#violation(`no answer to ${method} for ${HANG_MS / 1000} s`);
        resolve(undefined);
      }, HANG_MS);
      const settle = (message: Wire | undefined) => {
        clearTimeout(limit);
        resolve(message);
      };
      this.#asked.set(id, { method, isInvalid: false, settle });
      void this.#closed.then(() => settle(undefined));
      this.#link?.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  /** Whether the host is still there for this client. */
  async ping(): Promise<void> {
    if (this.#link) await this.request('ping', this.isEarly ? {} : { channel: 'ahp-root://' });
  }

  send(message: Message) {
    if (!this.#link) return;
    this.sent++;
    const rpc = { jsonrpc: '2.0' };
    switch (message.kind) {
      case 'request': {
        const { method, params, isInvalid } = message;
        const id = ++this.#ids;
        this.#asked.set(id, { method, text: brief(params), isInvalid: isInvalid && this.isNative });
        return this.#link.send(JSON.stringify({ ...rpc, id, method, params }));
      }
      case 'dispatch': {
        const clientSeq = ++this.#clientSeq;
        if (message.isInvalid && this.isNative) this.#invalidSeqs.add(clientSeq);
        const params = isObject(message.params) ? { clientSeq, ...message.params } : message.params;
        return this.#link.send(JSON.stringify({ ...rpc, method: 'dispatchAction', params }));
      }
      case 'notification':
        return this.#link.send(JSON.stringify({ ...rpc, method: message.method, params: message.params }));
      case 'text':
        return this.#link.send(String(message.data));
      case 'binary':
        return this.#link.send(message.data);
      case 'bytes':
        return this.#link.raw(message.data as Buffer);
    }
  }

  async #openWebSocket(): Promise<void> {
    const { url, token } = this.options;
    const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${token}` } });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    socket.on('error', () => {}); // its close says all
    socket.on('message', (data) => this.#receive(data.toString()));
    this.#closed = new Promise((resolve) =>
      socket.once('close', (code, reason) => {
        this.#link = undefined;
        this.closes++;
        if (!FAIR_CLOSES.has(code)) this.#violation(`closed with ${code} ${reason}`);
        resolve();
      }),
    );
    const raw = (socket as unknown as { _socket: Socket })._socket;
    this.#link = { send: (data) => socket.send(data), raw: (data) => raw.write(data), close: () => socket.close() };
  }

  async #openUnixSocket(path: string): Promise<void> {
    const socket = connectSocket(path);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('error', reject);
    });
    socket.on('error', () => {});
    let pending = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (pending + chunk).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') this.#receive(line);
    });
    this.#closed = new Promise((resolve) =>
      socket.once('close', () => {
        this.#link = undefined;
        this.closes++;
        resolve();
      }),
    );
    const write = (data: string | Buffer) => void socket.write(data);
    this.#link = {
      send: (data) =>
        write(typeof data === 'string' ? `${data.replaceAll('\n', ' ')}\n` : Buffer.concat([data, Buffer.from('\n')])),
      raw: (data) => write(Buffer.concat([data, Buffer.from('\n')])),
      close: () => socket.end(),
    };
  }

  #receive(text: string) {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return this.#violation(`sent what is no JSON: ${text.slice(0, 200)}`);
    }
    if (!isObject(message) || message.jsonrpc !== '2.0')
      return this.#violation(`sent no message: ${text.slice(0, 200)}`);
    if (typeof message.method !== 'string') this.#response(message);
    else if (message.id === undefined) this.#notification(message.method, message.params as Wire);
    else this.#reverseRequest(message.id);
  }

  #response(message: Wire): void {
    this.answers++;
    const { id, error, result } = message;
    const asked = this.#asked.get(id as number);
    this.#asked.delete(id as number);
    if (!('result' in message) === !('error' in message))
      this.#violation(`neither or both of result and error: ${brief(message)}`);
    if (error !== undefined) {
      const { code, message: text } = error as { code: unknown; message: unknown };
      if (!Number.isInteger(code) || typeof text !== 'string') this.#violation(`a malformed error: ${brief(error)}`);
      if (/\n\s+at /.test(String(text)) || /\n\s+at /.test(JSON.stringify(error)))
        this.#violation(`a stack: ${brief(error)}`);
      if (code === JsonRpcErrorCodes.InternalError && text === 'internal error')
        this.#violation(`${asked?.method} failed inside of the host`);
    } else if (asked) {
      if (asked.isInvalid) this.#violation(`answered an invalid ${asked.method}: ${brief(result)}`);
      this.#result(asked.method, result);
    }
    asked?.settle?.(message);
  }

  #result(method: string, result: unknown) {
    if (!this.isNative) {
      const type = `${method[0]?.toUpperCase()}${method.slice(1)}Result`;
      if (result !== null && this.options.isStrict())
        this.#note(`${method}: `, shapeProblem(this.options.version, type, result), result);
      return;
    }
    const row = requestRow(method);
    if (!row) return this.#violation(`answered ${method}, which does not exist`);
    const problem = this.#validator(row.result).explain(result);
    if (problem) this.#note(`result of ${method}`, `${problem.path}: expected ${problem.expected}`, result);
    const { snapshot } = (result ?? {}) as { snapshot?: { resource: string; state: unknown } };
    const kind = snapshot && kindOfUri(snapshot.resource);
    if (!snapshot || !kind || kind === 'telemetry' || kind === 'mcp') return;
    const inState = this.#validator(channelRegistry[kind].state).explain(snapshot.state);
    if (inState)
      this.#note(`state of ${snapshot.resource}`, `${inState.path}: expected ${inState.expected}`, snapshot.state);
  }

  #notification(method: string, params: Wire) {
    if (method === 'action') this.#envelope(params as unknown as ActionEnvelope);
    if (!this.isNative) return;
    const row = notificationRow(method);
    if (!row) return this.#violation(`unknown notification ${method}`);
    if (method === 'action') return;
    const problem = this.#validator(row.params).explain(params);
    if (problem) this.#note(method, `${problem.path}: expected ${problem.expected}`, params);
  }

  #envelope(envelope: ActionEnvelope): void {
    this.envelopes++;
    const { serverSeq, origin, rejectionReason, action } = envelope;
    if (!Number.isSafeInteger(serverSeq) || serverSeq <= this.#lastSeq)
      this.#violation(`serverSeq ${serverSeq} came after ${this.#lastSeq}`);
    this.#lastSeq = serverSeq;
    if (rejectionReason !== undefined) {
      this.rejections++;
      return; // it may be anything that was sent
    }
    const isOwn = origin?.clientId === this.options.clientId;
    if (isOwn && origin && this.#invalidSeqs.has(origin.clientSeq))
      this.#violation(`accepted an invalid action: ${brief(envelope)}`);
    if (this.isNative) {
      const schema = notificationRow('action')?.params as Schema;
      const problem = (this.options.isStrict() ? strict(schema) : command(schema)).explain(envelope);
      if (problem) this.#note(`${action.type}`, `${problem.path}: expected ${problem.expected}`, envelope);
    } else if (!isOwn && action.type !== 'changeset/disposed' && this.options.isStrict()) {
      this.#note(`${action.type}: `, shapeProblem(this.options.version, 'ActionEnvelope', envelope), envelope);
    }
  }

  #reverseRequest(id: unknown): void {
    const answer = this.options.answer();
    if (answer !== undefined) this.#link?.send(JSON.stringify({ jsonrpc: '2.0', id, ...(answer as object) }));
  }

  #validator(schema: Schema) {
    return this.options.isStrict() ? strict(schema) : lenient(schema);
  }

  #note(what: string, problem: string | undefined, value: unknown): void {
    // What is not known is passed on (B-335), also to versions that do not know more than we do.
    if (problem !== undefined && !problem.endsWith(': unknown member'))
      this.#violation(`${what}${problem} in ${brief(value)}`);
  }

  #violation(what: string): void {
    const { version, clientId } = this.options;
    this.options.onViolation(`${clientId} (${version}): ${what}`);
  }
}

function brief(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 600);
}
