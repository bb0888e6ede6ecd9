import { randomUUID } from 'node:crypto';
import {
  type Bus,
  type Clock,
  type FeedBatch,
  type Log,
  STAYS_HERE,
  type Store,
  type StoreFeed,
  silentLog,
} from '@moorage/host';
import { kindOfUri, type URI } from '@moorage/protocol';
import type { Verdict } from '../store/fleet-store.js';
import { type Answer, partsOf, readAnswer, shipSubject } from './messages.js';

export interface ShipperOptions {
  readonly host: string;
  readonly feed: StoreFeed;
  readonly bus: Bus;
  readonly clock: Clock;
  /** The epochs of sessions that this host did not make itself, or has got back. */
  readonly epochs?: () => Readonly<Record<URI, number>>;
  /** These sessions belong to another host now: nothing of them is stored any more. */
  readonly onFenced?: (sessions: readonly URI[]) => void;
  /** The fleet has stored this batch. */
  readonly onStored?: (batch: FeedBatch) => void;
  readonly limits?: Partial<ShipperLimits>;
  readonly log?: Log;
}

export interface Shipper {
  /** Something was committed. */
  notify(): void;
  /** The tick up to which the fleet has everything. */
  readonly position: number;
  /** The newest tick that was committed. */
  readonly last: number;
  /** Calls the function whenever the fleet has more. */
  onShipped(listener: (position: number) => void): void;
  /** Resolves once the fleet has all that was committed before the call. */
  shipped(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds, except for the bytes. */
interface ShipperLimits {
  /** Bytes of a batch, about. Most are far smaller; beyond, a slow network would let answers time out. */
  readonly batchBytes: number;
  readonly answer: number;
  /** Until a batch that was not answered is sent again. */
  readonly retry: number;
  /** Between questions of a host that has nothing to ship: a fleet that lost commits is noticed by them. */
  readonly check: number;
  /** What the fleet has had for this long is no longer kept for it: a database that lost its last hour is repaired. */
  readonly kept: number;
}

const LIMITS: ShipperLimits = {
  batchBytes: 512 * 1024,
  answer: 10_000,
  retry: 1_000,
  check: 30_000,
  kept: 60 * 60_000,
};

/** Of the time for which something is kept, how exactly it is known. */
const KEPT_STEPS = 60;

/** Ships what a host commits: one batch at a time; what is committed meanwhile goes with the next. */
export function startShipper(options: ShipperOptions): Shipper {
  const { host, feed, bus, clock, epochs = () => ({}), onFenced, onStored, log = silentLog } = options;
  const limits = { ...LIMITS, ...options.limits };
  let feedId = feed.id;
  let position = feed.acknowledged;
  let isChecked = false;
  let closed = false;
  let wake = () => {};
  let isIdle = false;
  const waiting = new Set<{ readonly upTo: number; resolve(): void }>();
  const listeners = new Set<(position: number) => void>();
  const confirmed: { readonly at: number; readonly tick: number }[] = [];

  /** Until some time is over, or the bus is back. */
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = clock.setTimeout(() => wake(), milliseconds);
      wake = () => {
        clock.clearTimeout(timer);
        resolve();
      };
    });
  const moveTo = (tick: number) => {
    position = tick;
    isChecked = true;
    for (const one of waiting) {
      if (one.upTo > tick) continue;
      waiting.delete(one);
      one.resolve();
    }
    for (const listener of listeners) listener(tick);
    acknowledgeOld(tick);
  };
  const acknowledgeOld = (tick: number) => {
    const now = clock.now();
    if (now - (confirmed.at(-1)?.at ?? -Infinity) >= limits.kept / KEPT_STEPS) confirmed.push({ at: now, tick });
    let old: number | undefined;
    while (confirmed[0] && now - confirmed[0].at >= limits.kept) old = confirmed.shift()?.tick;
    if (old !== undefined && old > feed.acknowledged) feed.acknowledge(old);
  };
  const startOver = () => {
    feedId = feed.id;
    position = feed.start;
    confirmed.length = 0;
  };
  /** Returns how many milliseconds to wait before the next batch. */
  const take = (verdict: Verdict): number => {
    switch (verdict.verdict) {
      case 'refused':
        log.write('error', 'fleet.refused', REFUSED[verdict.reason], { host });
        return limits.check;
      case 'fenced':
        onFenced?.(verdict.sessions);
        moveTo(verdict.position);
        return 0;
      case 'ok':
      case 'known':
      case 'gap':
        if (verdict.position >= feed.acknowledged && verdict.position <= feed.last) {
          moveTo(verdict.position);
        } else {
          log.write('warn', 'fleet.starts-over', STARTS_OVER, { host, position: verdict.position });
          feed.restart();
          startOver();
        }
        return 0;
    }
  };
  const ship = async (all: FeedBatch): Promise<number> => {
    const batch = { ...all, documents: all.documents.filter(leaves) };
    const content = { feed: feedId, start: feed.start, epochs: epochs(), batch };
    let answer: Answer | undefined;
    for (const part of partsOf(content, randomUUID(), bus.maxBytes)) {
      answer = readAnswer(await bus.request(shipSubject(host), part, limits.answer));
    }
    if (!answer || answer.verdict === 'part' || answer.verdict === 'incomplete') return limits.retry;
    if (feed.id !== feedId) return 0; // it has started over meanwhile
    const wait = take(answer);
    if (answer.verdict === 'ok' || answer.verdict === 'fenced') onStored?.(batch);
    return wait;
  };
  const run = async () => {
    while (!closed) {
      try {
        if (feed.id !== feedId) startOver();
        if (position === feed.last && isChecked) {
          isChecked = false;
          isIdle = true;
          await pause(limits.check);
          isIdle = false;
          if (closed) return;
        }
        const wait = await ship(ofSessions(feed.read(position, limits.batchBytes)));
        if (wait > 0 && !closed) await pause(wait);
      } catch (error) {
        if (closed) return;
        const reason = error instanceof Error ? error.message : String(error);
        log.write('debug', 'fleet.not-shipped', 'a batch was not stored by the fleet, and is sent again', {
          host,
          reason,
        });
        await pause(limits.retry);
      }
    }
  };

  const state = bus.onState((isUp) => {
    if (isUp) wake();
  });
  const running = run();
  return {
    notify: () => {
      if (isIdle) wake();
    },
    get position() {
      return position;
    },
    get last() {
      return feed.last;
    },
    onShipped: (listener) => listeners.add(listener),
    shipped: () =>
      new Promise((resolve) => {
        const upTo = feed.last;
        if (position >= upTo) return resolve();
        waiting.add({ upTo, resolve });
        if (isIdle) wake();
      }),
    close: async () => {
      closed = true;
      state.end();
      wake();
      await running;
    },
  };
}

/** Without what belongs to the host and to no session: all hosts have automations of their own under the same URI. */
function ofSessions(batch: FeedBatch): FeedBatch {
  const isOfSession = (uri: URI) => !OF_HOST.has(kindOfUri(uri) ?? '');
  return {
    ...batch,
    channels: batch.channels.filter(({ uri }) => isOfSession(uri)),
    log: batch.log.filter(({ channel }) => isOfSession(channel)),
    documents: batch.documents.filter(({ session }) => session === undefined || isOfSession(session)),
  };
}

const OF_HOST: ReadonlySet<string> = new Set(['automation', 'automationRun']);

/** The same store, which calls a function after each commit. */
export function notifyingStore<S extends Store>(store: S, committed: () => void): S {
  const commit: Store['commit'] = (batch) => {
    store.commit(batch);
    committed();
  };
  return Object.create(store, { commit: { value: commit } }) as S;
}

function leaves({ collection, key }: FeedBatch['documents'][number]): boolean {
  return collection !== 'content' || !key.startsWith(STAYS_HERE);
}

const REFUSED = {
  unknown: 'the fleet does not know this host: enrol it again',
  replaced: 'another copy of this host has shipped to the fleet since: enrol this one as a host of its own',
} as const;

const STARTS_OVER = 'the fleet lacks what this host no longer keeps for it, so all of it is shipped again';
