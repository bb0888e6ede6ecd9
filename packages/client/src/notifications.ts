import { Listeners } from './listeners.js';
import type { NotificationParams, ServerNotification } from './wire/read-notification.js';

/** Listeners for the host's notifications, by method. */
export class Notifications {
  readonly #listeners = new Map<string, Listeners<[never]>>();
  readonly #onThrow: (error: unknown) => void;

  constructor(onThrow: (error: unknown) => void) {
    this.#onThrow = onThrow;
  }

  on<M extends ServerNotification>(method: M, listener: (params: NotificationParams<M>) => void): () => void {
    let listeners = this.#listeners.get(method);
    if (!listeners) {
      listeners = new Listeners<[never]>(this.#onThrow);
      this.#listeners.set(method, listeners);
    }
    return listeners.add(listener);
  }

  emit<M extends ServerNotification>(method: M, params: NotificationParams<M>): void {
    this.#listeners.get(method)?.emit(params as never);
  }
}
