import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChatState, SessionState } from '@moorage/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTurn } from '../support/actions.js';
import { queued } from '../support/crash/load.js';
import { expectSettled } from '../support/crash/settled.js';
import { Survivor } from '../support/crash/survivor.js';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { Random } from '../support/random.js';
import { removeFolder } from '../support/remove-folder.js';
import type { WireClient } from '../support/wire-client.js';

/** `npm run test:crash` asks for many more. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 6);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

/** Much to say, of which nothing is gathered into one action. */
const MUCH = Array.from({ length: 100 }, (_, count) => `/think ${count}\n/say ${count}`);

let folder: string;
let workspace: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-crash-')));
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-crash-workspace-')));
});
afterAll(async () => {
  for (const path of [folder, workspace]) await removeFolder(path);
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

/** Unlike the world of `crash-mixed`, a small one in which death comes after any one envelope, and all is replayed. */
class World {
  readonly #survivor = new Survivor();
  #chats: string[] = [];
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
    this.#survivor.learn(client);
  }

  async end(): Promise<void> {
    const host = await start();
    const client = await this.#return(host);
    await client.close();
    expect(await host.stop()).toBe(0);
  }

  /** Reconnects, and holds what the host says now against what it said before. */
  async #return(host: HostProcess): Promise<WireClient> {
    const { client, by } = await this.#survivor.return(host);
    expect(by, 'the host forgot its log').not.toBe('snapshot');
    for (const [uri, { kind }] of this.#survivor.known) {
      await this.#survivor.compare(client, uri);
      if (kind === 'chat') await expectSettled(client, uri);
    }
    return client;
  }

  async #newSession(client: WireClient): Promise<void> {
    const session = `ahp-session:/crash-${crypto.randomUUID()}`;
    await client.request('createSession', { channel: session, workingDirectories: [pathToFileURL(workspace).href] });
    const { chats } = await this.#survivor.follow<SessionState>(client, session, 'session');
    for (const { resource } of chats) {
      await this.#survivor.follow<ChatState>(client, resource, 'chat');
      this.#chats.push(resource);
    }
  }

  /** Something to do for an agent, and something that must survive: a queued message. */
  #load(client: WireClient, chat: string, random: Random): void {
    const turn = ++this.#turns;
    const steps = ['/stream 60', '/say working', `/think ${turn}`, '/usage 10 20', '/stream 40', '/read README.md'];
    const some = Array.from({ length: 3 }, () => random.pick(steps));
    // Always more than the host lives to see, also if it begins with what was queued before it died.
    startTurn(client, chat, [...some, ...MUCH].join('\n'), `turn-${turn}`);
    client.dispatch(chat, queued(turn, MUCH.join('\n')));
  }
}

function start(): Promise<HostProcess> {
  return startHostProcess(['--data-dir', folder, '--root', workspace, '--log-level', 'warn']);
}
