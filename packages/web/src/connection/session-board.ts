import { allSessions, type Client } from '@moorage/client';
import type { SessionSummary } from '@moorage/protocol';

/** A session in a list. `host` is undefined for the host that serves the page. */
export type ListedSession = SessionSummary & { readonly host: SessionHost | undefined };

/** Includes the host, because two hosts may use the same URI for a session. */
export function keyOf({ host, resource }: ListedSession): string {
  return `${host?.id ?? ''} ${resource}`;
}

export interface SessionHost {
  readonly id: string;
  readonly name: string;
}

/** All sessions of a host, kept up to date by notifications. Those are not repeated, so a reconnect lists all sessions again. */
export class SessionBoard {
  readonly #client: Client;
  readonly #host: SessionHost | undefined;
  readonly #sessions = new Map<string, ListedSession>();
  readonly #listeners = new Set<() => void>();
  readonly #stops: (() => void)[];
  #list: readonly ListedSession[] | undefined;

  constructor(client: Client, host?: SessionHost) {
    this.#client = client;
    this.#host = host;
    this.#stops = [
      client.on('root/sessionAdded', ({ summary }) => this.#set(summary)),
      client.on('root/sessionRemoved', ({ session }) => {
        this.#sessions.delete(session);
        this.#publish();
      }),
      client.on('root/sessionSummaryChanged', ({ session, changes }) => {
        const known = this.#sessions.get(session);
        if (known) this.#set({ ...known, ...changes } as SessionSummary);
      }),
      client.onStatus((status) => {
        if (status === 'live') void this.#refresh();
      }),
    ];
    void this.#refresh();
  }

  /** Undefined until the host has answered for the first time. */
  readonly get = (): readonly ListedSession[] | undefined => this.#list;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  close(): void {
    for (const stop of this.#stops) stop();
  }

  async #refresh(): Promise<void> {
    try {
      const sessions = await allSessions(this.#client);
      this.#sessions.clear();
      for (const summary of sessions) this.#sessions.set(summary.resource, { ...summary, host: this.#host });
      this.#publish();
    } catch {
      // The connection dropped; the list is requested again when it is back.
    }
  }

  #set(summary: SessionSummary): void {
    this.#sessions.set(summary.resource, { ...summary, host: this.#host });
    this.#publish();
  }

  #publish(): void {
    this.#list = [...this.#sessions.values()];
    for (const listener of this.#listeners) listener();
  }
}
