import { type Bus, BusError, type Clock, type Log, openSharedClients, type SharedClients } from '@moorage/host';

export interface SharedHostsOptions {
  readonly bus: Bus;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  readonly log: Log;
}

/** A client's interest in what the clients of a host share. */
export interface SharedUse {
  /** Undefined for a host of a version that shares nothing: its clients get everything by themselves. */
  readonly shared: Promise<SharedClients | undefined>;
  end(): void;
}

/** What the clients of this gateway share at each host, while there are any. */
export class SharedHosts {
  readonly #options: SharedHostsOptions;
  readonly #hosts = new Map<string, { readonly shared: Promise<SharedClients | undefined>; users: number }>();

  constructor(options: SharedHostsOptions) {
    this.#options = options;
  }

  use(host: string): SharedUse {
    const entry = this.#hosts.get(host) ?? this.#open(host);
    entry.users++;
    let isOver = false;
    return {
      shared: entry.shared,
      end: () => {
        if (isOver) return;
        isOver = true;
        entry.users--;
        if (entry.users > 0) return;
        this.#forget(host, entry);
        void entry.shared.then((shared) => shared?.close()).catch(() => {}); // whoever waited for it was told
      },
    };
  }

  #open(host: string) {
    const { bus, clock, log } = this.#options;
    const shared = openSharedClients({ bus, host, clock, log });
    const entry = { shared: shared.catch(orNone), users: 0 };
    this.#hosts.set(host, entry);
    const forget = () => this.#forget(host, entry);
    shared.then((opened) => opened.onClose(forget), forget);
    return entry;
  }

  #forget(host: string, entry: object): void {
    if (this.#hosts.get(host) === entry) this.#hosts.delete(host);
  }
}

/** A host that is away does not serve this either; then connecting with it says so. */
function orNone(error: unknown): undefined {
  if (error instanceof BusError && error.kind === 'unserved') return undefined;
  throw error;
}
