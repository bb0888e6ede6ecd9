import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Client, connect } from '@ahpd/client';
import {
  activityOf,
  annotationsUri,
  type ChangesetState,
  type ChannelKind,
  type ChannelStates,
  type ChatState,
  changesetUri,
  ROOT_URI,
  type SessionState,
  SessionStatus,
  sessionUri,
  terminalUri,
} from '@ahpd/protocol';
import { expect } from 'vitest';
import { PATIENT } from '../actions.js';
import { comparable, Fold } from '../fold.js';
import { type HostProcess, startHostProcess } from '../host-process.js';
import { descendantsOf, type ProcessId, runs } from '../process-tree.js';
import type { Random } from '../random.js';
import { userMessage } from '../test-host.js';
import { WireClient } from '../wire-client.js';
import type { CrashFolders } from './folders.js';
import { Ledger } from './ledger.js';
import { startAndKill } from './start-and-kill.js';
import { straysOf } from './strays.js';

interface Known {
  readonly fold: Fold<ChannelKind>;
  readonly kind: ChannelKind;
}

export interface CrashFigures {
  rounds: number;
  stops: number;
  stopsCutShort: number;
  diedAtStart: number;
  agentsKilled: number;
  processesGone: number;
  envelopes: number;
  operations: number;
  operationsDone: number;
  appended: number;
  compared: number;
  replays: number;
  snapshots: number;
}

/** Channels that a life adds load to; older ones are only held against what was known of them. */
const BUSY_CHATS = 4;
/** Of the older ones, so many are looked at after each death, and all in the end: they are more and more. */
const OLDER = 12;
/** Agents have to start first, and machines are shared; but death may come while nothing is said, too. */
const HEAR_MS = 4_000;
/** A host is up within this time, so that death in between finds it in the middle of coming back. */
const START_MS = 900;

/** What the clients of a host know over all its lives: one that speaks the wire, and one that comes back by itself. */
export class CrashWorld {
  readonly figures: CrashFigures = {
    rounds: 0,
    stops: 0,
    stopsCutShort: 0,
    diedAtStart: 0,
    agentsKilled: 0,
    processesGone: 0,
    envelopes: 0,
    operations: 0,
    operationsDone: 0,
    appended: 0,
    compared: 0,
    replays: 0,
    snapshots: 0,
  };
  readonly #folders: CrashFolders;
  readonly #random: Random;
  readonly #port: number;
  readonly #known = new Map<string, Known>();
  readonly #chats: { uri: string; provider: string }[] = [];
  /** What an agent was told to append, once its tool call is known to have worked. */
  readonly #appends = new Map<string, string>();
  readonly #ledger = new Ledger();
  #operations = '';
  #lastSeq = 0;
  #clientSeq = 0;
  #turns = 0;
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
  }

  /** One life of the host: come back, check, work, lose agents, die. */
  async live(round: number): Promise<void> {
    const random = this.#random;
    if (random.chance(0.1)) await this.#dieAtStart();
    const host = await this.#start();
    let client = await this.#return(host);
    if (round % 8 === 0) for (const provider of ['demo', 'scripted']) await this.#newSession(client, provider);
    if (this.#operations === '') await this.#newOperations(client);
    this.#library ??= await connect({
      url: host.url,
      token: host.token,
      clientId: 'library',
      reconnect: { minDelayMs: 20, maxDelayMs: 200 },
    });
    await this.#load(client);
    await this.#hear(client, random.below(60));
    if (random.chance(0.5)) this.#killAgent(host);
    if (random.chance(0.3)) {
      await client.close();
      this.#learn(client);
      client = await this.#return(host, { isAlive: true });
      await this.#load(client);
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
    this.#expectRealLoad();
  }

  /** A run that did not do what it is for has shown nothing. */
  #expectRealLoad(): void {
    const { rounds, ...counts } = this.figures;
    if (rounds < 20) return;
    const { agentsKilled, processesGone, operations, operationsDone, appended, replays, diedAtStart } = counts;
    const needed = { agentsKilled, processesGone, operations, operationsDone, appended, replays, diedAtStart };
    expect(Object.entries(needed).filter(([, count]) => count === 0)).toEqual([]);
  }

  /** In good order; on a machine with too much to do it may have to be cut short (1), and everything holds all the same. */
  async #stop(host: HostProcess): Promise<void> {
    const code = await host.stop();
    expect([0, 1], host.stderr()).toContain(code);
    this.figures.stops++;
    if (code === 1) this.figures.stopsCutShort++;
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

  /** Reconnects, and holds what the host says now against what it said before. */
  async #return(host: HostProcess, { isAlive = false, isLast = false } = {}): Promise<WireClient> {
    const client = await WireClient.open({
      url: host.url,
      token: host.token,
      clientId: 'survivor',
      clientSeq: this.#clientSeq,
    });
    if (this.#lastSeq === 0) {
      await client.request('initialize', { channel: ROOT_URI, clientId: 'survivor', protocolVersions: ['0.4.0'] });
      return client;
    }
    await this.#resume(client);
    for (const [uri, known] of isLast ? this.#known : this.#some()) await this.#compare(client, uri, known, isAlive);
    if (isAlive) return client;
    await expect.poll(() => this.#before.filter(runs), PATIENT).toEqual([]);
    await expect.poll(() => straysOf(this.#folders.base, host.pid), PATIENT).toEqual([]);
    this.figures.processesGone += this.#before.length;
    await this.#expectListSettled(client);
    // An operation waits for what was cut off before it, so that this one, which fails, comes after.
    await client.refused('invokeChangesetOperation', { channel: this.#operations, operationId: 'no such operation' });
    this.#folders.expectSound();
    const inUse = () => descendantsOf(host.pid).map(({ command }) => command);
    await expect.poll(() => this.#folders.leftovers(inUse()), PATIENT).toEqual([]);
    await this.#expectChangeset(client);
    this.#expectAppends();
    await this.#expectLibrary(client);
    expect(host.stderr()).not.toMatch(/^\s+at |[Uu]nhandled|"level":"error"/m);
    return client;
  }

  async #resume(client: WireClient): Promise<void> {
    const subscriptions = [...this.#known.keys()];
    const params = {
      channel: ROOT_URI,
      clientId: 'survivor',
      lastSeenServerSeq: this.#lastSeq,
      subscriptions,
    } as const;
    const result = await client.request('reconnect', params);
    if (result.type === 'snapshot') {
      this.figures.snapshots++; // too much was missed for a replay
      for (const snapshot of result.snapshots) {
        const known = this.#known.get(snapshot.resource);
        if (known) this.#known.set(snapshot.resource, { ...known, fold: new Fold(known.kind, snapshot) });
        expect(snapshot.fromSeq).toBeGreaterThanOrEqual(this.#lastSeq);
      }
      return;
    }
    this.figures.replays++;
    expect(result.missing).toEqual([]);
    const seqs = result.actions.map((envelope) => envelope.serverSeq);
    expect(seqs.every((seq, index) => seq > (seqs[index - 1] ?? this.#lastSeq))).toBe(true);
    for (const [uri, { fold }] of this.#known) fold.apply(uri, result.actions);
    this.#ledger.see(result.actions);
    this.#lastSeq = Math.max(this.#lastSeq, ...seqs);
  }

  /** The channels that the last life was about, and some of the older ones. */
  #some(): [string, Known][] {
    const all = [...this.#known];
    const older = all.slice(0, -3 * BUSY_CHATS);
    return [...all.slice(-3 * BUSY_CHATS), ...Array.from({ length: OLDER }, () => this.#random.pick(older))].filter(
      (it) => it !== undefined,
    );
  }

  /** What a client sees in the list, without opening anything. */
  async #expectListSettled(client: WireClient): Promise<void> {
    const { items } = await client.request('listSessions', { channel: ROOT_URI });
    const running = items.filter(({ status }) => activityOf(status) === SessionStatus.InProgress);
    expect(running).toEqual([]);
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

  async #compare(client: WireClient, uri: string, { fold, kind }: Known, isAlive: boolean): Promise<void> {
    const { state, fromSeq } = await client.snapshot<ChannelStates[ChannelKind]>(uri);
    fold.apply(
      uri,
      client.envelopes.filter((envelope) => envelope.serverSeq <= fromSeq),
    );
    expect(comparable(kind, state), uri).toEqual(comparable(kind, fold.state));
    this.#ledger.check(uri, state);
    this.figures.compared++;
    if (kind === 'chat' && !isAlive) expectSettled(state as ChatState);
  }

  /** The client that came back by itself shows the same. */
  async #expectLibrary(client: WireClient): Promise<void> {
    if (!this.#library) return;
    for (const { uri } of this.#chats.slice(-BUSY_CHATS)) {
      const mirror = await this.#library.chat(uri);
      const told = async () => {
        const state = await client.subscribe<ChatState>(uri);
        await this.#library?.request('ping', { channel: ROOT_URI });
        return [comparable('chat', mirror.confirmed), comparable('chat', state)];
      };
      await expect
        .poll(async () => {
          const [mirrored, here] = await told();
          return isDeepStrictEqual(mirrored, here);
        }, PATIENT)
        .toBe(true);
    }
  }

  async #newSession(client: WireClient, provider: string): Promise<void> {
    const session = sessionUri.format(crypto.randomUUID());
    const workingDirectory = pathToFileURL(this.#folders.turns).href;
    await client.request('createSession', { channel: session, provider, workingDirectory });
    const { chats } = await this.#follow<SessionState>(client, session, 'session');
    await this.#follow(client, annotationsUri(session), 'annotations');
    for (const { resource } of chats) {
      await this.#follow<ChatState>(client, resource, 'chat');
      this.#chats.push({ uri: resource, provider });
    }
  }

  async #newOperations(client: WireClient): Promise<void> {
    const session = sessionUri.format('crash-operations');
    const workingDirectory = pathToFileURL(this.#folders.operations).href;
    await client.request('createSession', { channel: session, provider: 'demo', workingDirectory });
    const state = await client.subscribe<SessionState>(session);
    if (!state.changesets) await client.action(session, 'session/changesetsChanged');
    this.#operations = changesetUri('crash-operations', { kind: 'uncommitted' });
  }

  async #follow<S>(client: WireClient, uri: string, kind: ChannelKind): Promise<S> {
    const { snapshot } = await client.request('subscribe', { channel: uri });
    if (!snapshot) throw new Error(`no snapshot of ${uri}`);
    this.#known.set(uri, { fold: new Fold(kind, snapshot), kind });
    return snapshot.state as S;
  }

  /** Turns, a terminal, changesets, an operation, annotations, titles, queued messages: all at once. */
  async #load(client: WireClient): Promise<void> {
    const random = this.#random;
    for (const { uri, provider } of this.#chats.slice(-BUSY_CHATS)) this.#turn(client, uri, provider);
    const sessions = [...this.#known].filter(([, { kind }]) => kind === 'session').map(([uri]) => uri);
    const session = random.pick(sessions);
    client.dispatch(session, { type: 'session/titleChanged', title: `title ${this.#turns}` });
    client.dispatch(annotationsUri(session), {
      type: 'annotations/set',
      annotation: annotation(`note-${random.below(5)}`, pathToFileURL(this.#folders.turns).href, this.#turns),
    });
    const terminal = terminalUri.format(crypto.randomUUID());
    const claim = { kind: 'client', clientId: 'survivor' } as const;
    const ignored = () => {}; // the host may die before it answers
    client.peer.request('createTerminal', { channel: terminal, claim }).catch(ignored);
    client.peer.request('subscribe', { channel: terminal }).catch(ignored);
    client.dispatch(terminal, {
      type: 'terminal/input',
      data: 'sleep 300 & while :; do echo tick; sleep 0.2; done\r',
    });
    client.peer
      .request('subscribe', { channel: changesetUri(sessionUri.parse(session) ?? '', { kind: 'uncommitted' }) })
      .catch(ignored);
    client.peer.request('subscribe', { channel: this.#operations }).catch(ignored);
    if (random.chance(0.5)) this.#folders.userEdits();
    this.#folders.userWrites(random);
    const operationId = random.pick(['revert', 'undo', 'stage', 'keep', 'unstage']);
    this.figures.operations++;
    const operation = client.peer
      .request('invokeChangesetOperation', { channel: this.#operations, operationId })
      .then(() => this.figures.operationsDone++)
      .catch(ignored);
    if (random.chance(0.4)) await operation; // else death may come in the middle of it, or before
  }

  #turn(client: WireClient, chat: string, provider: string): void {
    const random = this.#random;
    const turn = ++this.#turns;
    const line = `line-${turn}`;
    const steps = [
      '/stream 30',
      '/say working',
      `/think ${turn}`,
      '/usage 10 20',
      '/ask Go on? | yes | no',
      '/read README.md',
      '/run sleep 0.05',
    ];
    const some = Array.from({ length: 2 }, () => random.pick(steps));
    const script =
      provider === 'demo'
        ? ['/auto on', `/append log-${turn % 4}.txt ${line}\\n`, ...some, '/stream 200'].join('\n')
        : ['/say one', '/think two', '/stream'].join('\n');
    const turnId = `turn-${turn}`;
    const activeTurn = (this.#known.get(chat)?.fold.state as ChatState | undefined)?.activeTurn;
    // One that waits for an answer over all deaths is good to have, but no other could begin.
    if (activeTurn && random.chance(0.7)) client.dispatch(chat, { type: 'chat/turnCancelled', turnId: activeTurn.id });
    if (provider === 'demo') this.#appends.set(turnId, `log-${turn % 4}.txt ${line}`);
    client.dispatch(chat, { type: 'chat/turnStarted', turnId, message: userMessage(script) });
    if (random.chance(0.5)) {
      const queued = {
        type: 'chat/pendingMessageSet',
        kind: 'queued',
        id: `q-${turn}`,
        message: userMessage('/stream 20'),
      };
      client.dispatch(chat, queued);
    }
    if (random.chance(0.2)) client.dispatch(chat, { type: 'chat/turnCancelled', turnId });
  }

  /** Waits for so many envelopes that agents have a part in, or until nothing more comes. */
  async #hear(client: WireClient, count: number): Promise<void> {
    const limit = Date.now() + HEAR_MS;
    const chats = new Set(this.#chats.map(({ uri }) => uri));
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

  /** What an agent reported as appended is in the file. */
  #expectAppends(): void {
    for (const { fold, kind } of this.#known.values()) {
      if (kind !== 'chat') continue;
      for (const turn of (fold.state as ChatState).turns) {
        const append = this.#appends.get(turn.id);
        const call = turn.responseParts.find((part) => part.kind === 'toolCall')?.toolCall;
        if (append === undefined || call?.status !== 'completed' || !call.success) continue;
        const [name = '', line = ''] = append.split(' ');
        expect(this.#folders.appended(name).has(line), `${append} of ${turn.id}`).toBe(true);
        this.#appends.delete(turn.id);
        this.figures.appended++;
      }
    }
  }

  #learn(client: WireClient): void {
    expect(client.violations).toEqual([]);
    for (const [uri, { fold }] of this.#known) fold.apply(uri, client.envelopes);
    this.#ledger.see(client.envelopes);
    let last = this.#lastSeq; // of earlier lives, and what was replayed of them
    for (const { serverSeq } of client.envelopes) {
      expect(serverSeq).toBeGreaterThan(last);
      last = serverSeq;
    }
    this.#lastSeq = Math.max(this.#lastSeq, last, ...[...this.#known.values()].map(({ fold }) => fold.seq));
    this.#clientSeq = client.clientSeq;
    this.figures.envelopes += client.envelopes.length;
  }
}

/** After a restart a turn either waits for the user or has ended, and nothing in it is still open. */
function expectSettled(chat: ChatState): void {
  const turnIsOver = chat.activeTurn === undefined || activityOf(chat.status) === SessionStatus.InputNeeded;
  expect(turnIsOver, `${chat.resource} is still in progress`).toBe(true);
  for (const turn of chat.turns) {
    for (const part of turn.responseParts) {
      if (part.kind === 'toolCall') expect(['completed', 'cancelled']).toContain(part.toolCall.status);
    }
  }
}

function annotation(id: string, folder: string, text: number) {
  return {
    id,
    turnId: 'turn-1',
    resource: `${folder}/README.md`,
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
    resolved: false,
    entries: [{ id: 'e', text: `note ${text}` }],
  };
}

/** The same for all lives, so that a client can come back. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
