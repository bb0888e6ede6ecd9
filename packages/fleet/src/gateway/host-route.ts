import {
  type Bus,
  type ClientTransport,
  type Clock,
  dialHost,
  type Incoming,
  type Log,
  SUBJECT_WORD,
} from '@moorage/host';
import { CloseCodes } from '@moorage/protocol';
import { relay } from './relay.js';

export interface HostRouteOptions {
  readonly bus: Bus;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  readonly log: Log;
}

/** Connects clients of `/hosts/ID/` with that host, as if they had dialled it themselves. */
export class HostRoute {
  readonly #options: HostRouteOptions;
  readonly #clients = new Map<ClientTransport, string>();
  readonly #refused = new Map<string, string>();

  constructor(options: HostRouteOptions) {
    this.#options = options;
  }

  /** False for another path. */
  accept({ transport, credential, reachedAs, path }: Incoming): boolean {
    const host = /^\/hosts\/([^/]+)\/?$/.exec(path ?? '')?.[1];
    if (host === undefined) return false;
    const refusal = SUBJECT_WORD.test(host) ? this.#refused.get(host) : 'there is no such host';
    if (refusal !== undefined) {
      transport.close(CloseCodes.PolicyViolation, refusal);
      return true;
    }
    this.#clients.set(transport, host);
    transport.onClose(() => this.#clients.delete(transport));
    const { bus, clock, log } = this.#options;
    const from = { connection: crypto.randomUUID(), credential: `user:${credential}`, reachedAs };
    void relay(transport, () => dialHost({ bus, host, from, clock, log }));
    return true;
  }

  /** From now on there is no way to this host; who is connected to it is told why. */
  refuse(host: string, reason: string): void {
    if (this.#refused.has(host)) return;
    this.#refused.set(host, reason);
    for (const [transport, of] of this.#clients) if (of === host) transport.close(CloseCodes.PolicyViolation, reason);
  }
}
