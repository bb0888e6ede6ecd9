import { WebSocket } from 'ws';

type Message = Record<string, unknown>;

/** A socket without a protocol, for frames that no client would send. */
export class RawSocket {
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #arrived: Message[] = [];
  readonly #waiting: ((message: Message) => void)[] = [];

  static async open(url: string, token: string): Promise<RawSocket> {
    const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${token}` } });
    const raw = new RawSocket(socket);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return raw;
  }

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as Message;
      const waiting = this.#waiting.shift();
      if (waiting) waiting(message);
      else this.#arrived.push(message);
    });
  }

  /** Sends a text, or an object as JSON. */
  send(frame: string | object): void {
    this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** The next message that arrives, or has arrived and was not asked for yet. */
  next(): Promise<Message> {
    const arrived = this.#arrived.shift();
    return arrived ? Promise.resolve(arrived) : new Promise((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }
}
