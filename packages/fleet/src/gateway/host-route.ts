import {
  type Bus,
  type ClientTransport,
  type Clock,
  dialHost,
  type FleetUser,
  type Incoming,
  type Log,
  type OpenRequest,
  SUBJECT_WORD,
  WayLostError,
} from '@moorage/host';
import { CloseCodes } from '@moorage/protocol';
import { type Dialled, relay } from './relay.js';
import { SharedHosts } from './shared-hosts.js';

export interface HostRouteOptions {
  /** Serves what was kept of a host, if that is known not to be there. False otherwise. */
  readonly acceptAway: (host: string, incoming: Incoming) => boolean;
  readonly bus: Bus;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  readonly log: Log;
}

/** Connects clients of `/hosts/ID/` with that host, as if they had dialled it themselves; or with what was kept of it. */
export class HostRoute {
  readonly #options: HostRouteOptions;
  readonly #shared: SharedHosts;
  readonly #clients = new Map<ClientTransport, { readonly host: string; readonly isAway: boolean }>();

  constructor(options: HostRouteOptions) {
    this.#options = options;
    this.#shared = new SharedHosts(options);
  }

  /** False for another path. */
  accept(incoming: Incoming, user: FleetUser): boolean {
    const { transport, reachedAs, path } = incoming;
    const host = /^\/hosts\/([^/]+)\/?$/.exec(path ?? '')?.[1];
    if (host === undefined) return false;
    if (!SUBJECT_WORD.test(host)) {
      transport.close(CloseCodes.PolicyViolation, 'there is no such host');
      return true;
    }
    const isAway = this.#options.acceptAway(host, incoming);
    this.#clients.set(transport, { host, isAway });
    transport.onClose(() => this.#clients.delete(transport));
    if (isAway) return true;
    const from = { connection: crypto.randomUUID(), user, reachedAs };
    void relay(transport, () => this.#dial(transport, host, from));
    return true;
  }

  async #dial(transport: ClientTransport, host: string, from: OpenRequest): Promise<Dialled> {
    const { bus, clock, log } = this.#options;
    const use = this.#shared.use(host);
    transport.onClose(() => use.end());
    const shared = await use.shared;
    const seat = shared?.seat(transport);
    if (!seat) return { host: await dialHost({ bus, host, from, clock, log }) };
    try {
      const dialled = await dialHost({ bus, host, from: { ...from, share: seat.share }, clock, log });
      return { host: dialled, seat: dialled.isShared ? seat : undefined };
    } catch (error) {
      if (error instanceof WayLostError) shared?.close();
      throw error;
    }
  }

  /** The host has come or gone: who is connected to what it was has to connect again. */
  changed(host: string, isHere: boolean): void {
    const reason = isHere ? 'the host is back' : 'the host is away';
    for (const [transport, client] of this.#clients) {
      if (client.host === host && client.isAway === isHere) transport.close(CloseCodes.TryAgainLater, reason);
    }
  }
}
