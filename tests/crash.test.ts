import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  activityOf,
  type ChannelKind,
  type ChatState,
  ROOT_URI,
  type SessionState,
  SessionStatus,
} from '@ahpd/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { comparable, Fold } from './support/fold.js';
import { type HostProcess, startHostProcess } from './support/host-process.js';
import { Random } from './support/random.js';
import { userMessage } from './support/test-host.js';
import { WireClient } from './support/wire-client.js';

/** `npm run test:crash` asks for many more. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 6);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

let folder: string;
let workspace: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ahpd-crash-')));
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'ahpd-crash-workspace-')));
});
afterAll(() => {
  for (const path of [folder, workspace]) rmSync(path, { recursive: true, force: true });
});

it(
  `loses nothing that it told anyone, killed ${ROUNDS} times (seed ${SEED})`,
  async () => {
    const random = new Random(SEED);
    const world = new World();
    for (let round = 0; round < ROUNDS; round++) await world.live(random, round);
    await world.end();
  },
  60_000 + ROUNDS * 20_000,
);

interface Known {
  readonly fold: Fold<ChannelKind>;
  readonly kind: ChannelKind;
}

/** What the clients of a host know, over all its lives. */
class World {
  readonly #known = new Map<string, Known>();
  #chats: string[] = [];
  #lastSeq = 0;
  #turns = 0;

  /** One life of the host: come back, check, work, get killed at some point. */
  async live(random: Random, round: number): Promise<void> {
    const host = await start();
    const client = await this.#return(host);
    if (round % 3 === 0) await this.#newSession(client);
    const killAfter = 1 + random.below(120);
    const target = client.envelopes.length + killAfter;
    for (const chat of this.#chats.slice(-4)) this.#load(client, chat, random);
    await client.envelope(() => client.envelopes.length >= target);
    await host.kill();
    await client.closed;
    expect(client.violations).toEqual([]);
    this.#learn(client);
  }

  async end(): Promise<void> {
    const host = await start();
    const client = await this.#return(host);
    await client.close();
    expect(await host.stop()).toBe(0);
  }

  /** Reconnects, and holds what the host says now against what it said before. */
  async #return(host: HostProcess): Promise<WireClient> {
    const client = await WireClient.open({ url: host.url, token: host.token, clientId: 'survivor' });
    if (this.#lastSeq === 0) {
      await client.request('initialize', { channel: ROOT_URI, clientId: 'survivor', protocolVersions: ['0.4.0'] });
      return client;
    }
    const subscriptions = [...this.#known.keys()];
    const result = await client.request('reconnect', {
      channel: ROOT_URI,
      clientId: 'survivor',
      lastSeenServerSeq: this.#lastSeq,
      subscriptions,
    });
    if (result.type !== 'replay') throw new Error('the host forgot its log');
    expect(result.missing).toEqual([]);
    const seqs = result.actions.map((envelope) => envelope.serverSeq);
    expect(seqs.every((seq, index) => seq > (seqs[index - 1] ?? this.#lastSeq))).toBe(true);
    for (const [uri, { fold }] of this.#known) fold.apply(uri, result.actions);
    this.#lastSeq = Math.max(this.#lastSeq, ...seqs);
    for (const [uri, { fold, kind }] of this.#known) {
      const { snapshot } = await client.request('subscribe', { channel: uri });
      fold.apply(
        uri,
        client.envelopes.filter((envelope) => envelope.serverSeq <= (snapshot?.fromSeq ?? 0)),
      );
      expect(comparable(kind, snapshot?.state ?? {}), uri).toEqual(comparable(kind, fold.state));
      if (kind === 'chat') expectSettled(snapshot?.state as ChatState);
    }
    return client;
  }

  async #newSession(client: WireClient): Promise<void> {
    const session = `ahp-session:/crash-${crypto.randomUUID()}`;
    await client.request('createSession', { channel: session, workingDirectory: pathToFileURL(workspace).href });
    const { chats } = await this.#follow<SessionState>(client, session, 'session');
    for (const { resource } of chats) {
      await this.#follow<ChatState>(client, resource, 'chat');
      this.#chats.push(resource);
    }
  }

  async #follow<S>(client: WireClient, uri: string, kind: ChannelKind): Promise<S> {
    const { snapshot } = await client.request('subscribe', { channel: uri });
    if (!snapshot) throw new Error(`no snapshot of ${uri}`);
    this.#known.set(uri, { fold: new Fold(kind, snapshot), kind });
    return snapshot.state as S;
  }

  /** Something to do for an agent, and something that must survive: a queued message, a title. */
  #load(client: WireClient, chat: string, random: Random): void {
    const turn = ++this.#turns;
    const steps = ['/stream 60', '/say working', `/think ${turn}`, '/usage 10 20', '/stream 40', '/read README.md'];
    const some = Array.from({ length: 3 }, () => random.pick(steps));
    const script = [...some, '/stream 200'].join('\n'); // always more than the host lives to see
    client.dispatch(chat, { type: 'chat/turnStarted', turnId: `turn-${turn}`, message: userMessage(script) });
    const queued = {
      type: 'chat/pendingMessageSet',
      kind: 'queued',
      id: `q-${turn}`,
      message: userMessage('/stream 20'),
    };
    client.dispatch(chat, queued);
  }

  #learn(client: WireClient): void {
    for (const [uri, { fold }] of this.#known) fold.apply(uri, client.envelopes);
    for (const envelope of client.envelopes) {
      expect(envelope.serverSeq).toBeGreaterThan(0);
      this.#lastSeq = Math.max(this.#lastSeq, envelope.serverSeq);
    }
  }
}

/** After a restart a turn either waits for the user or has ended; a queue that was waiting is still there. */
function expectSettled(chat: ChatState): void {
  const turnIsOver = chat.activeTurn === undefined || activityOf(chat.status) === SessionStatus.InputNeeded;
  expect(turnIsOver, `${chat.resource} is still in progress`).toBe(true);
  for (const turn of chat.turns) {
    for (const part of turn.responseParts) {
      if (part.kind === 'toolCall') expect(['completed', 'cancelled']).toContain(part.toolCall.status);
    }
  }
}

function start(): Promise<HostProcess> {
  return startHostProcess(['--data-dir', folder, '--root', workspace, '--log-level', 'warn']);
}
