import { WebSocket } from 'ws';
import type { TestHost } from './test-host.js';

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A client that keeps nothing of what it gets but its size and its end: for more output than fits in memory. */
export class OutputCounter {
  readonly socket: WebSocket;
  readonly clientId = `counter-${crypto.randomUUID()}`;
  chars = 0;
  tail = '';
  #id = 0;
  #seq = 0;
  readonly #answers = new Map<number, (answer: Answer) => void>();
  readonly #waiters: { reached: () => boolean; resolve: () => void }[] = [];

  static async connect(host: TestHost): Promise<OutputCounter> {
    const socket = new WebSocket(host.url, { headers: { Authorization: `Bearer ${host.token}` } });
    const counter = new OutputCounter(socket);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const { clientId } = counter;
    await counter.request('initialize', { channel: 'ahp-root://', clientId, protocolVersions: ['1.0.0'] });
    return counter;
  }

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.#receive(JSON.parse(data.toString())));
  }

  async request(method: string, params: object): Promise<unknown> {
    const id = ++this.#id;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const { result, error } = await new Promise<Answer>((resolve) => this.#answers.set(id, resolve));
    if (error) throw new Error(error.message);
    return result;
  }

  dispatch(channel: string, action: object): void {
    const params = { channel, clientSeq: ++this.#seq, action };
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'dispatchAction', params }));
  }

  /** Waits until what was counted is enough. */
  async until(reached: () => boolean): Promise<void> {
    if (!reached()) await new Promise<void>((resolve) => this.#waiters.push({ reached, resolve }));
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.close();
    await closed;
  }

  #receive(message: Answer & { id?: number; params?: { action?: { type: string; data?: string } } }): void {
    if (message.id !== undefined) this.#answers.get(message.id)?.(message);
    const action = message.params?.action;
    if (action?.type === 'terminal/data' && action.data !== undefined) {
      this.chars += action.data.length;
      this.tail = (this.tail + action.data).slice(-TAIL_CHARS);
    }
    for (const { reached, resolve } of this.#waiters) if (reached()) resolve();
  }
}

const TAIL_CHARS = 4096;
