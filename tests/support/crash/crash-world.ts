import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Client, connect } from '@moorage/client';
import {
  type ChangesetState,
  type ChatState,
  changesetUri,
  ROOT_URI,
  type SessionState,
  sessionUri,
} from '@moorage/protocol';
import { expect } from 'vitest';
import { PATIENT } from '../actions.js';
import { comparable } from '../fold.js';
import { freePort } from '../free-port.js';
import { type HostProcess, startHostProcess } from '../host-process.js';
import { descendantsOf, type ProcessId, runs } from '../process-tree.js';
import type { Random } from '../random.js';
import type { WireClient } from '../wire-client.js';
import { expectRealLoad, noFigures } from './figures.js';
import type { CrashFolders } from './folders.js';
import { BUSY_CHATS, CrashLoad } from './load.js';
import { expectListSettled, expectSettled } from './settled.js';
import { startAndKill } from './start-and-kill.js';
import { straysOf } from './strays.js';
import { Survivor } from './survivor.js';

/** Of the older channels, so many are looked at after each death, and all in the end: they are more and more. */
const OLDER = 12;
/** Agents have to start first, and machines are shared; but death may come while nothing is said, too. */
const HEAR_MS = 4_000;
/** A host is up within this time, so that death in between finds it in the middle of coming back. */
const START_MS = 900;

/** The lives of a host: it comes back, is checked, works, loses agents, dies. */
export class CrashWorld {
  readonly figures = noFigures();
  readonly #folders: CrashFolders;
  readonly #random: Random;
  /** The same for all lives, so that a client can come back. */
  readonly #port: number;
  readonly #survivor = new Survivor();
  readonly #load: CrashLoad;
  /** The changeset that operations are about. */
  #operations = '';
  /** A client that comes back by itself. */
  #library: Client | undefined;
  #host: HostProcess | undefined;
  #before: ProcessId[] = [];

  static async create(folders: CrashFolders, random: Random): Promise<CrashWorld> {
    return new CrashWorld(folders, random, await freePort());
  }

  constructor(folders: CrashFolders, random: Random, port: number) {
    this.#folders = folders;
    this.#random = random;
    this.#port = port;
    this.#load = new CrashLoad(this.#survivor, folders, random, this.figures);
  }

  /** One life of the host. */
  async live(round: number): Promise<void> {
    const random = this.#random;
    if (random.chance(0.1)) await this.#dieAtStart();
    const host = await this.#start();
    let client = await this.#return(host);
    if (round % 8 === 0) for (const provider of ['demo', 'scripted']) await this.#load.newSession(client, provider);
    if (this.#operations === '') await this.#newOperations(client);
    this.#library ??= await connect({
      url: host.url,
      token: host.token,
      clientId: 'library',
      reconnect: { minDelayMs: 20, maxDelayMs: 200 },
    });
    await this.#load.add(client, this.#operations);
    await this.#hear(client, random.below(60));
    if (random.chance(0.5)) this.#killAgent(host);
    if (random.chance(0.3)) {
      await client.close();
      this.#learn(client);
      client = await this.#return(host, { isAlive: true });
      await this.#load.add(client, this.#operations);
    }
    await this.#hear(client, random.below(80));
    await client.sync(); // whoever of its agents died, the host is there
    this.#before = descendantsOf(host.pid);
    if (round % 10 === 9) await this.#stop(host);
    else await host.kill();
    await client.closed;
    this.#learn(client);
    this.figures.rounds++;
  }

  async end(): Promise<void> {
    const host = await this.#start();
    const client = await this.#return(host, { isLast: true });
    this.#learn(client);
    await client.close();
    this.#library?.close();
    await this.#stop(host);
    this.#folders.expectNoLeftovers();
    expect(straysOf(this.#folders.base, 0)).toEqual([]);
    expectRealLoad(this.figures);
  }

  /** For a test that failed: nothing of it may stay behind. */
  async abandon(): Promise<void> {
    this.#library?.close();
    await this.#host?.kill();
  }

  async #start(): Promise<HostProcess> {
    this.#host = await startHostProcess(this.#arguments, { TMPDIR: this.#folders.temporary });
    return this.#host;
  }

  get #arguments(): string[] {
    const { data, turns, operations, config } = this.#folders;
    const roots = ['--root', turns, '--root', operations];
    return ['--port', String(this.#port), '--data-dir', data, ...roots, '--config', config];
  }

  /** Killed while it comes back: what it was about to settle is still to be settled. */
  async #dieAtStart(): Promise<void> {
    await startAndKill(this.#arguments, { TMPDIR: this.#folders.temporary }, this.#random.below(START_MS));
    this.figures.diedAtStart++;
  }

  /** In good order; on a machine with too much to do it may have to be cut short (1), and everything holds all the same. */
  async #stop(host: HostProcess): Promise<void> {
    const code = await host.stop();
    expect([0, 1], host.stderr()).toContain(code);
    this.figures.stops++;
    if (code === 1) this.figures.stopsCutShort++;
  }

  /** Reconnects, and holds what the host says now against what it said before. */
  async #return(host: HostProcess, { isAlive = false, isLast = false } = {}): Promise<WireClient> {
    const { client, by } = await this.#survivor.return(host);
    if (by === 'initialized') return client;
    this.figures[by === 'replay' ? 'replays' : 'snapshots']++; // the latter when too much was missed
    for (const uri of isLast ? this.#survivor.known.keys() : this.#some()) await this.#compare(client, uri, isAlive);
    if (!isAlive) await this.#expectSound(host, client);
    return client;
  }

  async #expectSound(host: HostProcess, client: WireClient): Promise<void> {
    await expect.poll(() => this.#before.filter(runs), PATIENT).toEqual([]);
    await expect.poll(() => straysOf(this.#folders.base, host.pid), PATIENT).toEqual([]);
    this.figures.processesGone += this.#before.length;
    await expectListSettled(client);
    // An operation waits for what was cut off before it, so that this one, which fails, comes after.
    await client.refused('invokeChangesetOperation', { channel: this.#operations, operationId: 'no such operation' });
    this.#folders.expectSound();
    const inUse = () => descendantsOf(host.pid).map(({ command }) => command);
    await expect.poll(() => this.#folders.leftovers(inUse()), PATIENT).toEqual([]);
    await this.#expectChangeset(client);
    this.#load.expectAppends();
    await this.#expectLibrary(client);
    expect(host.stderr()).not.toMatch(/^\s+at |[Uu]nhandled|"level":"error"/m);
  }

  /** The channels that the last life was about, and some of the older ones. */
  #some(): string[] {
    const all = [...this.#survivor.known.keys()];
    const older = all.slice(0, -3 * BUSY_CHATS);
    const some = older.length > 0 ? Array.from({ length: OLDER }, () => this.#random.pick(older)) : [];
    return [...all.slice(-3 * BUSY_CHATS), ...some];
  }

  async #compare(client: WireClient, uri: string, isAlive: boolean): Promise<void> {
    await this.#survivor.compare(client, uri);
    this.figures.compared++;
    if (this.#survivor.known.get(uri)?.kind === 'chat' && !isAlive) await expectSettled(client, uri);
  }

  /** The changes that the host shows are those that are on the disk. */
  async #expectChangeset(client: WireClient): Promise<void> {
    const shown = async () => {
      const { status, files, error } = await client.subscribe<ChangesetState>(this.#operations);
      return { status, files: files.length, error };
    };
    await expect.poll(shown, PATIENT).toEqual({ status: 'ready', files: this.#folders.changed() });
    client.peer.notify('unsubscribe', { channel: this.#operations });
  }

  /** The client that came back by itself shows the same. */
  async #expectLibrary(client: WireClient): Promise<void> {
    const library = this.#library;
    if (!library) return;
    for (const uri of this.#load.chats.slice(-BUSY_CHATS)) {
      const mirror = await library.chat(uri);
      const isSame = async () => {
        const state = await client.subscribe<ChatState>(uri);
        await library.request('ping', { channel: ROOT_URI });
        return isDeepStrictEqual(comparable('chat', mirror.confirmed), comparable('chat', state));
      };
      await expect.poll(isSame, PATIENT).toBe(true);
    }
  }

  async #newOperations(client: WireClient): Promise<void> {
    const session = sessionUri.format('crash-operations');
    const workingDirectory = pathToFileURL(this.#folders.operations).href;
    await client.request('createSession', {
      channel: session,
      provider: 'demo',
      workingDirectories: [workingDirectory],
    });
    const state = await client.subscribe<SessionState>(session);
    if (!state.changesets) await client.action(session, 'session/changesetsChanged');
    this.#operations = changesetUri(session, { kind: 'uncommitted' });
  }

  /** Waits for so many envelopes that agents have a part in, or until nothing more comes. */
  async #hear(client: WireClient, count: number): Promise<void> {
    const limit = Date.now() + HEAR_MS;
    const chats = new Set(this.#load.chats);
    let next = client.envelopes.length;
    for (let heard = 0; heard < count && Date.now() < limit; ) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (; next < client.envelopes.length; next++) if (chats.has(client.envelopes[next]?.channel ?? '')) heard++;
    }
  }

  /** As the kernel does when memory runs out. What guards an agent goes only when the host does. */
  #killAgent(host: HostProcess): void {
    const candidates = descendantsOf(host.pid).filter(({ command }) => /node/.test(command));
    if (candidates.length === 0) return;
    try {
      process.kill(this.#random.pick(candidates).pid, 'SIGKILL');
      this.figures.agentsKilled++;
    } catch {
      // it has just ended by itself
    }
  }

  #learn(client: WireClient): void {
    this.#survivor.learn(client);
    this.figures.envelopes += client.envelopes.length;
  }
}
