import type { IncomingMessage } from 'node:http';
import { isObject } from '@moorage/protocol';
import { WebSocket, WebSocketServer } from 'ws';

type Json = Readonly<Record<string, unknown>>;

export interface Frame {
  /** Which of the connections, counted from 1. */
  readonly connection: number;
  readonly from: 'window' | 'host';
  readonly message: Json;
}

/** Stands between VS Code and the host, and records what both say. */
export class RecordingProxy {
  readonly frames: Frame[] = [];
  readonly #server: WebSocketServer;
  readonly #hosts = new WeakMap<IncomingMessage, WebSocket>();
  #target = '';
  #connections = 0;

  static start(): Promise<RecordingProxy> {
    return new Promise((resolve) => {
      const proxy: RecordingProxy = new RecordingProxy(() => resolve(proxy));
    });
  }

  constructor(onListening: () => void) {
    this.#server = new WebSocketServer({
      host: '127.0.0.1',
      port: 0,
      // Where no host answers, the window is refused, as it would be without a proxy.
      verifyClient: ({ req }, done) => {
        const host = new WebSocket(this.#target);
        host.once('open', () => done(true));
        host.once('error', () => done(false, 503));
        this.#hosts.set(req, host);
      },
    });
    this.#server.once('listening', onListening);
    this.#server.on('connection', (window, request) => {
      const host = this.#hosts.get(request);
      if (host) this.#connect(window, host);
    });
  }

  get port(): number {
    const address = this.#server.address();
    return isObject(address) && typeof address.port === 'number' ? address.port : 0;
  }

  /** Where connections lead from now on; a host that was restarted has another port. */
  leadTo(url: string): void {
    this.#target = url;
  }

  close(): void {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
  }

  /** The actions of a type that the window sent. */
  dispatched(type: string): Json[] {
    return this.#actions('window', type);
  }

  /** The actions of a type that the host sent, also echoes and rejections. */
  received(type: string): Json[] {
    return this.#actions('host', type);
  }

  /** The requests of a method that the window made, each with its answer. */
  requests(method: string): { params: Json; answer: Json | undefined }[] {
    return this.frames.flatMap(({ connection, from, message }) =>
      from === 'window' && message.method === method
        ? [{ params: (message.params ?? {}) as Json, answer: this.#answer(connection, message.id) }]
        : [],
    );
  }

  /** Requests of the window that failed, as "method: code message". */
  get failures(): string[] {
    return this.frames.flatMap(({ connection, from, message }) => {
      const error = from === 'host' ? member(message, 'error') : undefined;
      const asked = this.frames.find(
        (frame) => frame.connection === connection && frame.from === 'window' && frame.message.id === message.id,
      );
      return error ? [`${asked?.message.method}: ${error.code} ${error.message}`] : [];
    });
  }

  /** Actions of the window that were rejected, as "type: reason". */
  get rejections(): string[] {
    return this.frames.flatMap(({ from, message }) => {
      const { rejectionReason, action } = (from === 'host' && isObject(message.params) ? message.params : {}) as Json;
      return rejectionReason === undefined ? [] : [`${(action as Json).type}: ${rejectionReason}`];
    });
  }

  #actions(sender: Frame['from'], type: string): Json[] {
    return this.frames.flatMap(({ from, message }) => {
      const action = from === sender ? member(message.params, 'action') : undefined;
      return action?.type === type ? [action] : [];
    });
  }

  #answer(connection: number, id: unknown): Json | undefined {
    return this.frames.find(
      (frame) => frame.connection === connection && frame.from === 'host' && frame.message.id === id,
    )?.message;
  }

  #connect(window: WebSocket, host: WebSocket): void {
    const connection = ++this.#connections;
    const record = (from: Frame['from'], text: string) =>
      this.frames.push({ connection, from, message: JSON.parse(text) as Json });
    window.on('message', (data) => {
      record('window', data.toString());
      host.send(data.toString());
    });
    host.on('message', (data) => {
      record('host', data.toString());
      window.send(data.toString());
    });
    host.on('error', () => window.close());
    host.on('close', () => window.close());
    window.on('close', () => host.close());
  }
}

function member(value: unknown, name: string): Json | undefined {
  const found = isObject(value) ? (value as Json)[name] : undefined;
  return isObject(found) ? (found as Json) : undefined;
}
