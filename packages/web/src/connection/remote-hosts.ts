import { isBlocked, listenForBlocked } from './blocked.js';
import { type HostEntry, loadHosts, onHostsOfOtherTabs, saveHosts } from './host-list.js';
import { type Connection, keepConnecting } from './keep-connecting.js';
import { type ListedSession, SessionBoard } from './session-board.js';

/** A host that does not serve the page. */
export interface RemoteHost {
  readonly entry: HostEntry;
  readonly connection: Connection;
  readonly sessions: readonly ListedSession[];
}

/** A refusal may only mean that the host is starting, or that its configuration is about to be corrected. */
const RETRY_REFUSED_MS = 10_000;

/** The other hosts of this page. Each has its own connection, so that a problem with one does not affect the others. */
export class RemoteHosts {
  readonly #links = new Map<string, { host: RemoteHost; stop: () => void }>();
  readonly #listeners = new Set<() => void>();
  readonly #stops: (() => void)[];
  #view: readonly RemoteHost[] = [];

  constructor() {
    this.#stops = [listenForBlocked(), onHostsOfOtherTabs(() => this.#follow(loadHosts()))];
    this.#follow(loadHosts());
  }

  readonly get = (): readonly RemoteHost[] => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds a host, or gives an existing one the new name and token. */
  add(entry: HostEntry): void {
    const others = this.#view.map((host) => host.entry).filter(({ id }) => id !== entry.id);
    this.#keep([...others, entry]);
  }

  remove(id: string): void {
    this.#keep(this.#view.map((host) => host.entry).filter((entry) => entry.id !== id));
  }

  close(): void {
    for (const stop of this.#stops) stop();
    for (const { stop } of this.#links.values()) stop();
    this.#links.clear();
  }

  #keep(entries: readonly HostEntry[]): void {
    saveHosts(entries);
    this.#follow(entries);
  }

  #follow(entries: readonly HostEntry[]): void {
    for (const [id, link] of this.#links) {
      const now = entries.find((entry) => entry.id === id);
      if (now?.token === link.host.entry.token && now.name === link.host.entry.name) continue;
      link.stop();
      this.#links.delete(id);
    }
    for (const entry of entries) if (!this.#links.has(entry.id)) this.#links.set(entry.id, this.#open(entry));
    this.#publish();
  }

  #open(entry: HostEntry): { host: RemoteHost; stop: () => void } {
    let board: SessionBoard | undefined;
    const change = (part: Partial<RemoteHost>) => {
      const link = this.#links.get(entry.id);
      if (!link) return;
      link.host = { ...link.host, ...part };
      this.#publish();
    };
    const disconnect = keepConnecting(
      {
        url: entry.id,
        token: entry.token,
        retryRefusedMs: RETRY_REFUSED_MS,
        isForbidden: () => isBlocked(entry.id),
      },
      (connection) => {
        change({ connection });
        if (connection.state !== 'connected') return;
        const made = new SessionBoard(connection.client, { id: entry.id, name: entry.name });
        made.subscribe(() => change({ sessions: made.get() ?? [] }));
        // The list also shows whether the host is connected.
        connection.client.onStatus(() => change({}));
        board = made;
      },
    );
    const stop = () => {
      board?.close();
      disconnect();
    };
    return { host: { entry, connection: { state: 'connecting' }, sessions: [] }, stop };
  }

  #publish(): void {
    this.#view = [...this.#links.values()].map(({ host }) => host);
    for (const listener of this.#listeners) listener();
  }
}
