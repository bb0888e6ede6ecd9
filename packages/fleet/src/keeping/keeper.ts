import { type Bus, type BusMessage, type Log, NO_TELEMETRY, silentLog, type Telemetry } from '@moorage/host';
import type { FleetStore, HostAppend, Verdict } from '../store/fleet-store.js';
import { type Answer, readAppend, readPart, shipSubject } from './messages.js';

export interface KeeperOptions {
  readonly bus: Bus;
  readonly store: FleetStore;
  readonly log?: Log;
  readonly telemetry?: Telemetry | undefined;
}

export interface Keeper {
  /** Answers what it has begun to store. */
  close(): Promise<void>;
}

/** Hosts whose batches are stored in one transaction. */
const MAX_GROUP = 400;

/** All gateways share the work: each batch goes to one of them. */
const GROUP = 'keepers';

/**
 * Stores what hosts ship. What arrives while a transaction is under way is stored by the next one, for all hosts together.
 * While the database is away nothing is answered, and hosts ask again.
 */
export function startKeeper({ bus, store, log = silentLog, telemetry = NO_TELEMETRY }: KeeperOptions): Keeper {
  const waiting = new Map<string, Waiting>();
  let storing: Promise<void> | undefined;

  const storeAll = async () => {
    while (waiting.size > 0) {
      const group = [...waiting.values()].slice(0, MAX_GROUP);
      for (const { append } of group) waiting.delete(append.host);
      await storeGroup(group);
    }
    storing = undefined;
  };
  const storeGroup = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const began = performance.now();
      const verdicts = await store.append(group.map(({ append }) => append));
      telemetry.measure('ahp.fleet.append.duration', (performance.now() - began) / 1_000);
      telemetry.measure('ahp.fleet.append.hosts', group.length);
      for (const { verdict } of verdicts) telemetry.count('ahp.fleet.batches', 1, { 'ahp.fleet.verdict': verdict });
      for (const [index, { resolve }] of group.entries()) resolve(verdicts[index] as Verdict);
    } catch (error) {
      telemetry.count('ahp.fleet.append.failures', 1);
      // One host's batch may be what the database cannot take; the others' must not wait for it.
      if (group.length > 1 && isAboutContent(error)) for (const one of group) await storeGroup([one]);
      else {
        const reason = error instanceof Error ? error.message : String(error);
        const hosts = group.map(({ append }) => append.host).join(' ');
        log.write('warn', 'fleet.not-stored', 'batches of hosts could not be stored; they will ship again', {
          reason,
          hosts,
        });
        for (const { reject } of group) reject(error);
      }
    }
  };
  const put = (append: HostAppend) =>
    new Promise<Verdict>((resolve, reject) => {
      waiting.get(append.host)?.reject(new Error('the host has asked again'));
      waiting.set(append.host, { append, resolve, reject });
      storing ??= Promise.resolve().then(storeAll);
    });

  const answer = async ({ subject, body }: BusMessage): Promise<Answer> => {
    const host = subject.split('.')[2] ?? '';
    const { batch, number, count, bytes } = readPart(body);
    if (number < count - 1) {
      await store.parts.put(host, batch, number, bytes);
      return { verdict: 'part' };
    }
    const before = count > 1 ? await store.parts.take(host, batch, count - 1) : new Uint8Array();
    if (!before) return { verdict: 'incomplete' };
    return put(readAppend(host, count > 1 ? Buffer.concat([before, bytes]) : bytes));
  };
  const serving = bus.serve(
    shipSubject('*'),
    async (message) => new TextEncoder().encode(JSON.stringify(await answer(message))),
    GROUP,
  );
  return {
    close: async () => {
      serving.end();
      await storing;
    },
  };
}

interface Waiting {
  readonly append: HostAppend;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: unknown) => void;
}

/** By the classes of PostgreSQL's error codes: wrong data, a violated constraint, a limit. */
function isAboutContent(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^(22|23|54)/.test(code);
}
