import type { CloseInfo, Transport } from '@ahpd/protocol';

/** The listening side of a transport: a close is told once to everyone, also to those who ask later. */
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
    if (info) queueMicrotask(() => listener(info));
    else this.#onClose.push(listener);
  }

  message(text: string): void {
    if (this.#closedWith) return;
    for (const listener of this.#onMessage) listener(text);
  }

  close(info: CloseInfo): void {
    if (this.#closedWith) return;
    this.#closedWith = info;
    for (const listener of this.#onClose) listener(info);
  }
}
