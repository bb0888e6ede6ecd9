import { createPeer, type Peer, type PeerOptions, type Transport } from '../../src/rpc/index.js';

/** A transport whose far end is the test itself: what the peer sends is recorded, what it receives is injected. */
class WireTap implements Transport {
  readonly sent: string[] = [];
  readonly closes: { code: number | undefined; reason: string | undefined }[] = [];
  #onMessage: (text: string) => void = () => {};
  #onClose: (info: { code?: number; reason?: string }) => void = () => {};

  send(text: string): void {
    this.sent.push(text);
  }
  close(code?: number, reason?: string): void {
    this.closes.push({ code, reason });
  }
  onMessage(listener: (text: string) => void): void {
    this.#onMessage = listener;
  }
  onClose(listener: (info: { code?: number; reason?: string }) => void): void {
    this.#onClose = listener;
  }

  receive(frame: unknown): void {
    this.#onMessage(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }
  drop(info: { code?: number; reason?: string } = {}): void {
    this.#onClose(info);
  }
  /** Takes everything sent so far, parsed. */
  take(): unknown[] {
    return this.sent.splice(0).map((text) => JSON.parse(text));
  }
}

export interface Rig {
  wire: WireTap;
  peer: Peer;
  protocolErrors: string[];
  internalErrors: { error: unknown; method: string }[];
  notifications: { method: string; params: unknown }[];
}

/** A peer that echoes its params unless told otherwise. */
export function rig(overrides: Partial<PeerOptions> = {}): Rig {
  const wire = new WireTap();
  const protocolErrors: string[] = [];
  const internalErrors: Rig['internalErrors'] = [];
  const notifications: Rig['notifications'] = [];
  const peer = createPeer(wire, {
    onRequest: (_method, params) => params,
    onNotification: (method, params) => void notifications.push({ method, params }),
    onProtocolError: (message) => void protocolErrors.push(message),
    onInternalError: (error, method) => void internalErrors.push({ error, method }),
    ...overrides,
  });
  return { wire, peer, protocolErrors, internalErrors, notifications };
}

export function request(id: unknown, method: unknown = 'm', params?: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

export function success(id: unknown, result: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', id, result };
}

export function failure(id: unknown, code: number, message: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** A promise settled from outside. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Lets every queued microtask run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Timers that move only when the test says so. */
export class FakeTimers {
  readonly #due = new Map<number, { at: number; fn: () => void }>();
  #now = 0;
  #last = 0;

  setTimeout = (fn: () => void, ms: number): unknown => {
    this.#last++;
    this.#due.set(this.#last, { at: this.#now + ms, fn });
    return this.#last;
  };
  clearTimeout = (handle: unknown): void => {
    if (typeof handle === 'number') this.#due.delete(handle);
  };
  get armed(): number {
    return this.#due.size;
  }
  advance(ms: number): void {
    this.#now += ms;
    for (const [handle, timer] of [...this.#due]) {
      if (timer.at > this.#now) continue;
      this.#due.delete(handle);
      timer.fn();
    }
  }
}
