import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Client, connect } from '@ahpd/client';
import {
  activityOf,
  annotationsUri,
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

interface Known {
  readonly fold: Fold<ChannelKind>;
  readonly kind: ChannelKind;
}

export interface CrashFigures {
  rounds: number;
  stops: number;
  stopsCutShort: number;
  agentsKilled: number;
  processesGone: number;
  envelopes: number;
  operations: number;
  appended: number;
  replays: number;
  snapshots: number;
}

/** Channels that a life adds load to; older ones are only held against what was known of them. */
const BUSY_CHATS = 3;
/** Agents have to start first, and machines are shared. */
const HEAR_MS = 20_000;

/** What the clients of a host know over all its lives: one that speaks the wire, and one that comes back by itself. */
export class CrashWorld {
  readonly figures: CrashFigures = {
    rounds: 0,
    stops: 0,
    stopsCutShort: 0,
    agentsKilled: 0,
    processesGone: 0,
    envelopes: 0,
    operations: 0,
    appended: 0,
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
    const host = await this.#start();
    let client = await this.#return(host);
    if (round % 8 === 0) await this.#newSession(client, random.chance(0.5) ? 'demo' : 'scripted');
    if (this.#operations === '') await this.#newOperations(client);
    this.#library ??= await connect({
      url: host.url,
      token: host.token,
      clientId: 'library',
      reconnect: { minDelayMs: 20, maxDelayMs: 200 },
    });
    await this.#load(client);
    const first = client.envelopes.length;
    await this.#hear(client, first + random.below(60));
    if (random.chance(0.5)) this.#killAgent(host);
    if (random.chance(0.3)) {
      await client.close();
      this.#learn(client);
      client = await this.#return(host, { isAlive: true });
      await this.#load(client);
    }
    await this.#hear(client, client.envelopes.length + random.below(80));
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
    const client = await this.#return(host);
    this.#learn(client);
    await client.close();
    this.#library?.close();
    await this.#stop(host);
    this.#folders.expectNoLeftovers();
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
    const { data, turns, operations, config } = this.#folders;
    const port = String(this.#port);
    const roots = ['--root', turns, '--root', operations];
    this.#host = await startHostProcess(['--port', port, '--data-dir', data, ...roots, '--config', config]);
    return this.#host;
  }

  /** Reconnects, and holds what the host says now against what it said before. */
  async #return(host: HostProcess, { isAlive = false } = {}): Promise<WireClient> {
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
    for (const [uri, known] of this.#known) await this.#compare(client, uri, known, isAlive);
    if (isAlive) return client;
    await expect.poll(() => this.#before.filter(runs), PATIENT).toEqual([]);
    this.figures.processesGone += this.#before.length;
    // An operation waits for what was cut off before it, so that this one, which fails, comes after.
    await client.refused('invokeChangesetOperation', { channel: this.#operations, operationId: 'no such operation' });
    this.#folders.expectSound();
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
    this.#lastSeq = Math.max(this.#lastSeq, ...seqs);
  }

  async #compare(client: WireClient, uri: string, { fold, kind }: Known, isAlive: boolean): Promise<void> {
    const { state, fromSeq } = await client.snapshot<ChannelStates[ChannelKind]>(uri);
    fold.apply(
      uri,
      client.envelopes.filter((envelope) => envelope.serverSeq <= fromSeq),
    );
    expect(comparable(kind, state), uri).toEqual(comparable(kind, fold.state));
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
    for (const operationId of [random.pick(['revert', 'undo', 'stage', 'keep', 'unstage'])]) {
      this.figures.operations++;
      client.peer.request('invokeChangesetOperation', { channel: this.#operations, operationId }).catch(ignored);
    }
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

  /** Waits for so many envelopes, or until nothing more comes. */
  async #hear(client: WireClient, count: number): Promise<void> {
    const limit = Date.now() + HEAR_MS;
    while (client.envelopes.length < count && Date.now() < limit)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** As the kernel does when memory runs out: any process of the host but itself. */
  #killAgent(host: HostProcess): void {
    const candidates = descendantsOf(host.pid).filter(({ command }) => /node|agent|child/.test(command));
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
    let last = 0;
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
