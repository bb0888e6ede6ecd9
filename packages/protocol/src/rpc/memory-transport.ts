import { type CloseInfo, closeInfo, type Transport } from './transport.js';
import { TransportListeners } from './transport-listeners.js';

/** Two connected transports in memory. Every delivery is a microtask of its own: a sender never runs the receiver's code. */
export function createTransportPair(): [Transport, Transport] {
  const left = new MemoryEnd();
  const right = new MemoryEnd();
  left.other = right;
  right.other = left;
  return [left, right];
}

class MemoryEnd implements Transport {
  // Itself until the pair is connected, which saves a check for undefined at every use.
  other: MemoryEnd = this;
  #open = true;
  readonly #listeners = new TransportListeners();

  send(text: string): void {
    if (this.#open) enqueue(() => this.other.#receive(text));
  }

  close(code?: number, reason?: string): void {
    this.#open = false;
    const info = closeInfo(code, reason);
    enqueue(() => this.#finish(info));
    enqueue(() => this.other.#finish(info));
  }

  onMessage(listener: (text: string) => void): void {
    this.#listeners.onMessage(listener);
  }

  onClose(listener: (info: CloseInfo) => void): void {
    this.#listeners.onClose(listener);
  }

  #receive(text: string): void {
    if (this.#open) this.#listeners.message(text);
  }

  #finish(info: CloseInfo): void {
    this.#open = false;
    this.#listeners.close(info);
  }
}

// Promise reactions run first in, first out, which keeps messages and the close in order.
function enqueue(step: () => void): void {
  void Promise.resolve().then(step);
}
