import type { SessionSummary } from '@moorage/protocol';
import type { MirrorStatus } from '../channels/mirror.js';
import type { Client } from '../client.js';
import { RequestError } from '../errors.js';
import { Listeners } from '../listeners.js';

/** Options of `client.sessions`. */
export interface SessionListOptions {
  /** Sessions to load at once; default: as many as the host gives, which is usually all. */
  readonly pageSize?: number | undefined;
}

/** The sessions of a host, newest change first, kept up to date. After a reconnect it is listed again by itself. */
export interface SessionList {
  /** The sessions that are loaded. Another array takes its place when something changed. */
  readonly items: readonly SessionSummary[];
  /** `stale` while the client reconnects and lists the sessions again; `gone` once released or closed. */
  readonly status: MirrorStatus;
  /** Whether there are sessions that `loadMore` would bring. */
  readonly hasMore: boolean;
  /** Loads the next page. Resolves with `hasMore`. */
  loadMore(): Promise<boolean>;
  /** Called after each change of the items or the status. */
  subscribe(listener: (list: SessionList) => void): () => void;
  /** Stops following. The items stay as they are. */
  release(): void;
}

type Host = Pick<Client, 'request' | 'on' | 'onStatus' | 'status'>;
type Change = (sessions: Map<string, SessionSummary>) => void;

/** Lists the first page, and follows from then on. */
export async function openSessionList(
  client: Host,
  options: SessionListOptions,
  report: (error: unknown) => void,
): Promise<SessionList> {
  const list = new LiveSessionList(client, options, report);
  try {
    await list.loadMore();
    return list;
  } catch (error) {
    list.release();
    throw error;
  }
}

class LiveSessionList implements SessionList {
  readonly #client: Host;
  readonly #pageSize: number | undefined;
  readonly #listeners: Listeners<[SessionList]>;
  readonly #stops: (() => void)[];
  #sessions = new Map<string, SessionSummary>();
  /** What a reload has so far; it takes the place of the others when it is complete. */
  #reloaded: Map<string, SessionSummary> | undefined;
  #items: readonly SessionSummary[] | undefined;
  /** Where the next page begins; undefined before the first and after the last. */
  #cursor: string | undefined;
  #hasMore = true;
  #status: MirrorStatus = 'live';
  /** One page at a time, so that each is merged into what those before it left. */
  #last: Promise<unknown> = Promise.resolve();
  /** Changes that came while a page was on its way, which may be older than they are. */
  #meanwhile: Change[] | undefined;
  #isFrontOutdated = false;

  constructor(client: Host, { pageSize }: SessionListOptions, report: (error: unknown) => void) {
    this.#client = client;
    this.#pageSize = pageSize;
    this.#listeners = new Listeners(report);
    this.#stops = [
      client.on('root/sessionAdded', ({ summary }) =>
        this.#apply((sessions) => sessions.set(summary.resource, summary)),
      ),
      client.on('root/sessionRemoved', ({ session }) => this.#apply((sessions) => sessions.delete(session))),
      client.on('root/sessionSummaryChanged', ({ session, changes }) => {
        const isMoved = changes.modifiedAt !== undefined && !this.#sessions.has(session);
        if (isMoved && this.#hasMore) this.#refreshFront();
        this.#apply((sessions) => {
          const known = sessions.get(session);
          if (known) sessions.set(session, changed(known, changes));
        });
      }),
      client.onStatus((status) => {
        if (status === 'closed') this.release();
        else if (status === 'live') this.#reload();
        else this.#setStatus('stale');
      }),
    ];
  }

  get items(): readonly SessionSummary[] {
    this.#items ??= [...this.#sessions.values()].sort(newestFirst);
    return this.#items;
  }

  get status(): MirrorStatus {
    return this.#status;
  }

  get hasMore(): boolean {
    return this.#hasMore;
  }

  readonly loadMore = (): Promise<boolean> =>
    this.#inTurn(async () => {
      if (this.#status === 'gone') throw new RequestError('closed', 'listSessions', 'the list was released');
      if (!this.#hasMore) return false;
      await this.#load(this.#sessions, this.#cursor);
      return this.#hasMore;
    });

  readonly subscribe = (listener: (list: SessionList) => void): (() => void) => this.#listeners.add(listener);

  readonly release = (): void => {
    if (this.#status === 'gone') return;
    for (const stop of this.#stops) stop();
    this.#setStatus('gone');
    this.#listeners.clear();
  };

  /** Notifications are not repeated after a reconnect, so as much as was loaded is loaded anew. */
  #reload(): void {
    void this.#inTurn(async () => {
      const wanted = this.#sessions.size;
      const sessions = new Map<string, SessionSummary>();
      this.#reloaded = sessions;
      try {
        await this.#load(sessions, undefined);
        while (this.#hasMore && sessions.size < wanted) await this.#load(sessions, this.#cursor);
      } finally {
        this.#reloaded = undefined;
      }
      this.#sessions = sessions;
      this.#publish();
      if (this.#client.status === 'live') this.#setStatus('live');
    }).catch(() => {}); // the connection was lost again; the next one reloads
  }

  /** A session that is not loaded has a new time, and is now among the first. Many changes are one page. */
  #refreshFront(): void {
    if (this.#isFrontOutdated) return;
    this.#isFrontOutdated = true;
    void this.#inTurn(async () => {
      this.#isFrontOutdated = false;
      const [cursor, hasMore] = [this.#cursor, this.#hasMore];
      await this.#load(this.#sessions, undefined);
      this.#cursor = cursor; // the pages behind it go on where they were
      this.#hasMore = hasMore;
    }).catch(() => {}); // likewise
  }

  async #load(sessions: Map<string, SessionSummary>, cursor: string | undefined): Promise<void> {
    this.#meanwhile = [];
    try {
      const { items, nextCursor } = await this.#client.request('listSessions', {
        ...(this.#pageSize !== undefined && { limit: this.#pageSize }),
        ...(cursor !== undefined && { cursor }),
      });
      for (const summary of items) sessions.set(summary.resource, summary);
      for (const change of this.#meanwhile) change(sessions);
      this.#cursor = nextCursor;
      this.#hasMore = nextCursor !== undefined && nextCursor !== cursor; // the same again would never end
    } finally {
      this.#meanwhile = undefined;
    }
    if (sessions === this.#sessions) this.#publish();
  }

  #apply(change: Change): void {
    change(this.#sessions);
    if (this.#reloaded) change(this.#reloaded);
    this.#meanwhile?.push(change);
    this.#publish();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  #setStatus(status: MirrorStatus): void {
    if (this.#status === status || this.#status === 'gone') return;
    this.#status = status;
    this.#publish();
  }

  #publish(): void {
    this.#items = undefined;
    this.#listeners.emit(this);
  }
}

/** A member that the host cleared is undefined in the changes, and absent from then on. */
function changed(summary: SessionSummary, changes: object): SessionSummary {
  const members = Object.entries({ ...summary, ...changes }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return Object.fromEntries(members) as unknown as SessionSummary;
}

function newestFirst(a: SessionSummary, b: SessionSummary): number {
  if (a.modifiedAt !== b.modifiedAt) return a.modifiedAt < b.modifiedAt ? 1 : -1;
  return a.resource < b.resource ? -1 : 1;
}
