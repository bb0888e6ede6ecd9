import { type CloseInfo, type Transport, TransportListeners } from '@moorage/protocol';

/** Two connected ends whose messages wait until the test delivers them; a cut loses what is still under way. */
export class Wire {
  readonly client = new End(this, 'up');
  readonly host = new End(this, 'down');
  readonly #waiting: { up: string[]; down: string[] } = { up: [], down: [] };
  #open = true;

  get open(): boolean {
    return this.#open;
  }

  /** Messages under way to the host (`up`) or to the client (`down`). */
  waiting(direction: Direction): number {
    return this.#waiting[direction].length;
  }

  put(direction: Direction, text: string): void {
    if (this.#open) this.#waiting[direction].push(text);
  }

  deliver(direction: Direction, count = Number.POSITIVE_INFINITY): number {
    let delivered = 0;
    while (this.#open && delivered < count) {
      const text = this.#waiting[direction].shift();
      if (text === undefined) break;
      delivered++;
      (direction === 'up' ? this.host : this.client).receive(text);
    }
    return delivered;
  }

  cut(info: CloseInfo = { code: 1006 }): void {
    if (!this.#open) return;
    this.#open = false;
    this.#waiting.up.length = 0;
    this.#waiting.down.length = 0;
    this.client.finish(info);
    this.host.finish(info);
  }
}

type Direction = 'up' | 'down';

class End implements Transport {
  readonly #wire: Wire;
  readonly #direction: Direction;
  readonly #listeners = new TransportListeners();

  constructor(wire: Wire, direction: Direction) {
    this.#wire = wire;
    this.#direction = direction;
  }

  send(text: string): void {
    this.#wire.put(this.#direction, text);
  }
  close(code?: number, reason?: string): void {
    this.#wire.cut({ ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) });
  }
  onMessage(listener: (text: string) => void): void {
    this.#listeners.onMessage(listener);
  }
  onClose(listener: (info: CloseInfo) => void): void {
    this.#listeners.onClose(listener);
  }
  receive(text: string): void {
    this.#listeners.message(text);
  }
  finish(info: CloseInfo): void {
    this.#listeners.close(info);
  }
}
