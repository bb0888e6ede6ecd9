import { type CloseInfo, closeInfo, type Transport } from './transport.js';

/** Two connected ends. Every delivery is its own microtask, so a sender never runs the receiver's code. */
export function createTransportPair(): [Transport, Transport] {
  const left = new MemoryEnd();
  const right = new MemoryEnd();
  left.other = right;
  right.other = left;
  return [left, right];
}

class MemoryEnd implements Transport {
  // Itself only until the pair is connected; saves every use a check for undefined.
  other: MemoryEnd = this;
  #open = true;
  #closedWith: CloseInfo | undefined;
  readonly #messageListeners: ((text: string) => void)[] = [];
  readonly #closeListeners: ((info: CloseInfo) => void)[] = [];

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
    this.#messageListeners.push(listener);
  }

  onClose(listener: (info: CloseInfo) => void): void {
    const info = this.#closedWith;
    if (info) enqueue(() => listener(info));
    else this.#closeListeners.push(listener);
  }

  #receive(text: string): void {
    if (!this.#open) return;
    for (const listener of this.#messageListeners) listener(text);
  }

  #finish(info: CloseInfo): void {
    if (this.#closedWith) return;
    this.#open = false;
    this.#closedWith = info;
    for (const listener of this.#closeListeners) listener(info);
  }
}

// Promise reactions run first in, first out; that alone keeps messages and the close in order.
function enqueue(step: () => void): void {
  void Promise.resolve().then(step);
}
