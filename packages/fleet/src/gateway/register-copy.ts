import type { Clock, Log } from '@moorage/host';
import type { AccessToken, RegisteredHost, Registry } from '../registry/registry.js';

/** Milliseconds between two looks at the register: what another gateway has revoked is out within five seconds. */
const REFRESH_MS = 1_500;

export interface RegisterCopyOptions {
  readonly registry: Registry;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  readonly log: Log;
}

/**
 * What this gateway knows of the register, in memory. It is read again and again, because other gateways change it, too.
 * While the database is down, what was known last holds.
 */
export class RegisterCopy {
  readonly #options: RegisterCopyOptions;
  readonly #listeners: (() => void)[] = [];
  #hosts: ReadonlyMap<string, RegisteredHost> = new Map();
  #tokens: readonly AccessToken[] = [];
  #reading: Promise<void> | undefined;
  #timer: unknown;
  #isClosed = false;
  #isFailing = false;

  constructor(options: RegisterCopyOptions) {
    this.#options = options;
  }

  /** All hosts that were ever enrolled, by id. */
  get hosts(): ReadonlyMap<string, RegisteredHost> {
    return this.#hosts;
  }

  /** The tokens that are valid. */
  get tokens(): readonly AccessToken[] {
    return this.#tokens;
  }

  /** Called after each reading, whether or not something changed. */
  onRead(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Reads once, rejecting if that fails, and from then on again and again. */
  async start(): Promise<void> {
    await this.refresh();
    this.#readLater();
  }

  /** Reads now: everything that was stored before the call counts when it resolves. */
  async refresh(): Promise<void> {
    while (this.#reading) await this.#reading.catch(() => {});
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  close(): void {
    this.#isClosed = true;
    this.#options.clock.clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    const { registry } = this.#options;
    const [hosts, tokens] = await Promise.all([registry.hosts(), registry.tokens()]);
    this.#hosts = new Map(hosts.map((host) => [host.id, host]));
    this.#tokens = tokens.filter(({ revokedAt }) => revokedAt === undefined);
    for (const listener of this.#listeners) listener();
  }

  #readLater(): void {
    const { clock, log } = this.#options;
    this.#timer = clock.setTimeout(() => {
      const noteFailure = (error: unknown) => {
        if (!this.#isFailing)
          log.write('error', 'fleet.database-down', 'the database cannot be read; what was known last holds', {
            error: String(error),
          });
        this.#isFailing = true;
      };
      const noteSuccess = () => {
        if (this.#isFailing) log.write('info', 'fleet.database-up', 'the database can be read again');
        this.#isFailing = false;
      };
      void this.refresh()
        .then(noteSuccess, noteFailure)
        .then(() => {
          if (!this.#isClosed) this.#readLater();
        });
    }, REFRESH_MS);
  }
}
