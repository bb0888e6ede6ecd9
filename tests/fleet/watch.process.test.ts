import { type Client, connect, NotDeliveredError, openUrl, randomId, sessionUri, when } from '@moorage/client';
import { createPostgresFleetStore, type Database, openPostgres } from '@moorage/fleet';
import type { ActionEnvelope } from '@moorage/protocol';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BareWatcher, HistoryDigest } from '../support/fleet/bare-watcher.js';
import { missingEngines } from '../support/fleet/engines.js';
import { Fleet, type FleetProcess } from '../support/fleet/fleet.js';

/** `npm run test:fleet` has the long form: 2,000 clients, and a gateway killed every ten seconds for a minute. */
const CLIENTS = Number(process.env.WATCH_CLIENTS ?? 20);
const KILLS = Number(process.env.WATCH_KILLS ?? 2);
const KILL_EVERY_MS = Number(process.env.WATCH_KILL_EVERY_MS ?? 0);
/** How many of them also say something, with the client library. */
const SPEAKERS = 4;
/** Actions between two kills, at least. */
const BETWEEN = 100;
/** How far those who speak may be ahead of the slowest watcher: what is told to thousands waits somewhere. */
const MAX_AHEAD = 300;
/** What an agent says between two kills. */
const WORDS = 300;
const PATIENT = { timeout: 300_000, interval: 20 };

describe.skipIf(missingEngines().length > 0)('clients of two gateways', () => {
  let fleet: Fleet;
  let gateways: FleetProcess[];
  let database: Database;
  const watchers: BareWatcher[] = [];
  const speakers: Client[] = [];
  beforeAll(async () => {
    fleet = new Fleet();
    gateways = [await fleet.start(), await fleet.gateway()];
    database = openPostgres({ url: fleet.postgres.url });
  }, 120_000);
  afterAll(async () => {
    for (const watcher of watchers) watcher.end();
    for (const speaker of speakers) speaker.close();
    await database.close();
    await fleet.end();
  });

  it(`all see the same, each number once, while gateways are killed (${CLIENTS} clients, ${KILLS} kills)`, async () => {
    const host = (await fleet.host('busy', '--enrol', await fleet.invitation())).ready.fleet ?? '';
    /** By whichever gateway answers, each client beginning with another one. */
    const dial = (first: number) => async () => {
      for (const offset of gateways.keys()) {
        const url = gateways[(first + offset) % gateways.length]?.ready.url;
        const opened = await openUrl(`${url}hosts/${host}/`, fleet.token).catch(() => undefined);
        if (opened) return opened;
      }
      throw new Error('no gateway answers');
    };
    for (let index = 0; index < SPEAKERS; index++) {
      const reconnect = { minDelayMs: 20, maxDelayMs: 500 };
      const speaker = await vi.waitFor(
        () => connect({ transport: dial(index), reconnect, onError: () => {} }),
        PATIENT, // until the gateways have heard of the host
      );
      speakers.push(speaker);
    }
    const [speaker] = speakers as [Client];
    const uri = sessionUri.format(randomId());
    await speaker.request('createSession', { channel: uri, provider: 'demo' });
    const chat = await when(await speaker.session(uri), ({ defaultChat }) => defaultChat);
    const sessions = await Promise.all(speakers.map((one) => one.session(uri)));
    const talk = await speaker.chat(chat);

    for (let index = 0; index < CLIENTS; index++)
      watchers.push(new BareWatcher(`watcher-${index}`, [uri, chat], dial(index)));
    for (
      let begun = 0;
      begun < CLIENTS;
      begun += 50 // not more at once than a gateway lets wait for their handshake
    )
      await Promise.all(watchers.slice(begun, begun + 50).map((watcher) => watcher.start()));

    const outcomes = new Map<string, 'seen' | 'not delivered'>();
    let isOver = false;
    const speaking = sessions.map(async (session, index) => {
      for (let count = 0; !isOver; count++) {
        const title = `title ${count} of ${index}`;
        try {
          await session.dispatch({ type: 'session/titleChanged', title });
          outcomes.set(title, 'seen');
        } catch (error) {
          if (!(error instanceof NotDeliveredError)) throw error;
          outcomes.set(title, 'not delivered');
        }
        await vi.waitFor(() => expect(outcomes.size - slowest()).toBeLessThan(MAX_AHEAD), PATIENT);
      }
    });
    const slowest = () => Math.min(...watchers.map(({ history }) => history.count));

    let turn: Promise<unknown> = Promise.resolve();
    for (let kill = 0; kill < KILLS; kill++) {
      const before = outcomes.size;
      const until = Date.now() + KILL_EVERY_MS;
      await vi.waitFor(() => expect(outcomes.size).toBeGreaterThan(before + BETWEEN), PATIENT);
      await turn;
      const sent = await talk.send(`/stream ${WORDS}`);
      turn = sent.finished();
      await vi.waitFor(() => expect(Date.now()).toBeGreaterThanOrEqual(until), PATIENT);
      const [killed, other] = gateways as [FleetProcess, FleetProcess];
      await killed.stop('SIGKILL');
      gateways = [other, await fleet.gateway()];
      await vi.waitFor(() => expect(watchers.filter(({ isLive }) => !isLive)).toEqual([]), PATIENT);
    }
    isOver = true;
    await turn;
    await Promise.all(speaking);

    const last = (await sessions[0]?.dispatch({ type: 'session/titleChanged', title: 'the end' }))?.serverSeq ?? 0;
    await vi.waitFor(() => expect(watchers.filter(({ history }) => history.last < last)).toEqual([]), PATIENT);
    const kept = await createPostgresFleetStore(database).channels.replay(host, [uri, chat], watchers[0]?.from ?? 0);
    const envelopes = [...kept.values()].flatMap((text) => JSON.parse(`[${text ?? never()}]`) as ActionEnvelope[]);
    const truth = new HistoryDigest();
    for (const envelope of envelopes.sort((a, b) => a.serverSeq - b.serverSeq)) truth.add(envelope);

    expect(watchers.flatMap(({ problems }) => problems)).toEqual([]);
    expect(new Set(watchers.map(({ history }) => history.text))).toEqual(new Set([truth.text]));
    expect(watchers.reduce((sum, { resumed }) => sum + resumed, 0)).toBeGreaterThanOrEqual((KILLS * CLIENTS) / 2);
    const applied = envelopes.flatMap(({ action }) => (action.type === 'session/titleChanged' ? action.title : []));
    expect(applied.length).toBe(new Set(applied).size);
    const seen = [...outcomes].filter(([, outcome]) => outcome === 'seen').map(([title]) => title);
    expect(new Set(applied)).toEqual(new Set([...seen, 'the end']));
  }, 1_200_000);
});

function never(): never {
  throw new Error('the host keeps no log that goes back so far');
}
