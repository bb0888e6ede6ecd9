import type { CloseInfo, Transport } from './transport.js';

/** The listening half of a transport, for those who write one: keeps the promises that `Transport` makes about listeners. */
export class TransportListeners implements Pick<Transport, 'onMessage' | 'onClose'> {
  readonly #onMessage: ((text: string) => void)[] = [];
  readonly #onClose: ((info: CloseInfo) => void)[] = [];
  #closedWith: CloseInfo | undefined;

  get closed(): boolean {
    return this.#closedWith !== undefined;
  }

  onMessage(listener: (text: string) => void): void {
    this.#onMessage.push(listener);
  }

  onClose(listener: (info: CloseInfo) => void): void {
    const info = this.#closedWith;
    if (info) void Promise.resolve().then(() => listener(info));
    else this.#onClose.push(listener);
  }

  message(text: string): void {
    if (this.#closedWith) return;
    for (const listener of this.#onMessage) listener(text);
  }

  /** Only the first call counts. */
  close(info: CloseInfo): void {
    if (this.#closedWith) return;
    this.#closedWith = info;
    for (const listener of this.#onClose) listener(info);
  }

  /** The whole transport, made of these listeners and its speaking half. */
  with(speaking: Pick<Transport, 'send' | 'close'>): Transport {
    return {
      ...speaking,
      onMessage: (listener) => this.onMessage(listener),
      onClose: (listener) => this.onClose(listener),
    };
  }
}
