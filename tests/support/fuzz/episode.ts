import { ROOT_URI, type RootState, type SessionState } from '@moorage/protocol';
import { Random } from '../random.js';
import { WireClient } from '../wire-client.js';
import { FuzzClient } from './fuzz-client.js';
import type { FuzzWorld } from './fuzz-world.js';
import { type Message, MessageMaker } from './messages.js';
import { Names } from './names.js';
import { knock } from './strangers.js';
import { Values } from './values.js';

/** The versions that the clients speak; the last one of them comes over the unix socket. */
const VERSIONS = ['1.0.0', '1.0.0', '0.7.0', '0.4.0', '0.5.2', '0.3.0', '0.2.0', '0.1.0', 1, '1.0.0'] as const;
const CLIENT_IDS = VERSIONS.map((version, index) => `fuzz-${index}-${version}`);
/** Messages of one client between two pings. */
const BURST = 12;
const INVALID_BURST = 5;
/** Answers that may wait for somebody else: for a user to decide. */
const MAY_WAIT: ReadonlySet<string> = new Set(['resourceRequest']);
const SETTLE_MS = 60_000;

export interface EpisodeFigures {
  messages: number;
  answers: number;
  envelopes: number;
  rejections: number;
  closes: number;
}

/** Clients that send anything at all, all of it decided by the seed; throws with what the host did wrong. */
export class Episode {
  readonly #world: FuzzWorld;
  readonly #random: Random;
  readonly #maker: MessageMaker;
  readonly #clients: readonly FuzzClient[];
  readonly #violations: string[] = [];
  readonly #trace: string[] = [];
  readonly #size: number;
  /** Those that are there from the start; messages may make more. */
  readonly #sessions: readonly string[];
  readonly #chats: readonly string[];
  #isCalm = true;

  constructor(world: FuzzWorld, seed: number, size: number) {
    this.#world = world;
    this.#size = size;
    this.#random = new Random(seed);
    const random = this.#random;
    const names = new Names(seed, random, world.places, CLIENT_IDS);
    this.#sessions = names.sessions.slice(0, 2);
    this.#chats = names.chats.slice(0, 2);
    const values = new Values(random, names);
    const isStrict = seed % 4 !== 0;
    this.#maker = new MessageMaker({ random, names, values, isStrict });
    const { url, token } = world.host;
    this.#clients = VERSIONS.map((version, index) => {
      const isLast = index === VERSIONS.length - 1;
      const answers: unknown[] = [
        undefined,
        { result: values.json() },
        { error: { code: -32601, message: 'no' } },
        { error: 1 },
      ];
      return new FuzzClient({
        url,
        token,
        ...(isLast && { socketPath: world.socketPath }),
        version,
        clientId: CLIENT_IDS[index] as string,
        isStrict: () => isStrict || this.#isCalm,
        onViolation: (what) => this.#violations.push(what),
        answer: () => answers[Math.floor(Math.random() * answers.length)],
      });
    });
  }

  async run(): Promise<EpisodeFigures> {
    const { host } = this.#world;
    this.#world.furnish();
    const control = await WireClient.connect({ url: host.url, token: host.token, clientId: 'fuzz-control' });
    try {
      await this.#prepare(control);
      await this.#mustChangeNothing(control);
      this.#isCalm = false;
      while (this.#sent < this.#size) {
        await this.#burst();
        this.#check();
      }
      await knock(host.url, host.token, this.#random);
      await this.#settle();
      this.#check();
      await this.#cleanUp(control);
    } finally {
      control.socket.close();
      for (const client of this.#clients) await client.close();
    }
    this.#check();
    return this.#figures();
  }

  get #sent(): number {
    return this.#clients.reduce((sum, client) => sum + client.sent, 0);
  }

  async #prepare(control: WireClient): Promise<void> {
    for (const [index, session] of this.#sessions.entries()) {
      await control.request('createSession', {
        channel: session,
        provider: 'demo',
        workingDirectories: [this.#world.places.root],
      });
      const state = await control.subscribe<SessionState>(session);
      if (state.lifecycle === 'creating') await control.action(session, 'session/ready');
      if (!state.changesets) await control.action(session, 'session/changesetsChanged');
      await control.request('createChat', { channel: session, chat: this.#chats[index] as string });
      await control.subscribe(this.#chats[index] as string);
    }
    const chat = this.#chats[0] as string;
    control.dispatch(chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 't9',
      message: { text: '/say ready', origin: { kind: 'user' } },
    });
    await control.action(chat, 'chat/turnComplete');
    const [session] = this.#sessions;
    for (const client of this.#clients) {
      await client.open();
      const subscribe = client.isEarly ? { resource: session?.replace('ahp-session', 'demo') } : { channel: session };
      await client.request('subscribe', subscribe);
      if (client.isNative) await client.request('subscribe', { channel: chat });
    }
  }

  /** Nothing happens now, so nothing that is invalid may make a difference. */
  async #mustChangeNothing(control: WireClient): Promise<void> {
    const before = await this.#calm(control);
    const tree = this.#world.tree();
    for (const client of this.#clients) {
      for (let count = 0; count < INVALID_BURST; count++)
        this.#send(client, this.#maker.invalid(client.options.version));
    }
    await this.#ping();
    this.#check();
    const after = await this.#picture(control);
    if (after !== before) this.#violations.push(`invalid messages changed the state\n${difference(before, after)}`);
    if (this.#world.tree() !== tree) this.#violations.push('invalid messages changed files');
    this.#check();
  }

  async #calm(control: WireClient): Promise<string> {
    for (;;) {
      const first = await this.#picture(control);
      await new Promise((resolve) => setTimeout(resolve, 30));
      const second = await this.#picture(control);
      if (first === second) return second;
    }
  }

  async #picture(control: WireClient): Promise<string> {
    const { items } = await control.request('listSessions', { channel: ROOT_URI });
    const states: unknown[] = [items];
    for (const channel of [ROOT_URI, ...this.#sessions, ...this.#chats]) states.push(await control.subscribe(channel));
    return JSON.stringify(states);
  }

  async #burst(): Promise<void> {
    for (const client of this.#clients) {
      if (!client.isOpen) await client.open();
      for (let left = this.#random.below(BURST); left > 0; left--)
        this.#send(client, this.#maker.next(client.options.version));
    }
    await this.#ping();
  }

  async #ping(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.ping()));
  }

  #send(client: FuzzClient, message: Message): void {
    this.#trace.push(`${client.options.clientId}: ${text(message)}`);
    if (this.#trace.length > 200) this.#trace.shift();
    client.send(message);
  }

  /** Everything that was asked is answered. */
  async #settle(): Promise<void> {
    const waiting = () =>
      this.#clients
        .flatMap((client) => (client.isOpen ? client.unanswered : []))
        .filter(({ method }) => !MAY_WAIT.has(method));
    const end = Date.now() + SETTLE_MS;
    while (waiting().length > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    if (waiting().length > 0) this.#violations.push(`never answered: ${JSON.stringify(waiting())}`);
  }

  async #cleanUp(control: WireClient): Promise<void> {
    for (const client of this.#clients) await client.close();
    // What a client asked for before it was cut off may still be under way.
    for (let looks = 0; looks < 2; looks++) {
      const { items } = await control.request('listSessions', { channel: ROOT_URI });
      for (const { resource } of items) await control.request('disposeSession', { channel: resource });
      if (items.length > 0) looks = 0;
    }
    const { terminals } = await control.subscribe<RootState>(ROOT_URI);
    for (const { resource } of terminals ?? [])
      await control.peer.request('disposeTerminal', { channel: resource }).catch(() => {});
  }

  #check(): void {
    const { stderr } = this.#world.host;
    const found = [...this.#violations, ...this.#world.faults().map((line) => `in the log: ${line}`)];
    if (!isRunning(this.#world.host.pid)) found.push(`the host is gone:\n${stderr().slice(-2000)}`);
    const touched = this.#world.touched();
    if (touched) found.push(`files outside of the root were touched\n${touched}`);
    if (found.length === 0) return;
    const list = found.slice(0, 8).join('\n').slice(0, 8000);
    throw new Error(`${list}\n\nlast messages:\n${this.#trace.slice(-30).join('\n')}`);
  }

  #figures(): EpisodeFigures {
    const sum = (count: (client: FuzzClient) => number) =>
      this.#clients.reduce((all, client) => all + count(client), 0);
    return {
      messages: this.#sent,
      answers: sum(({ answers }) => answers),
      envelopes: sum(({ envelopes }) => envelopes),
      rejections: sum(({ rejections }) => rejections),
      closes: sum(({ closes }) => closes),
    };
  }
}

/** Where two texts begin to differ, with what is around it. */
function difference(before: string, after: string): string {
  let at = 0;
  while (before[at] === after[at] && at < before.length) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 400), at + 400);
  return `from ${around(before)}\nto   ${around(after)}`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function text(message: Message): string {
  const { kind } = message;
  if (kind === 'request' || kind === 'notification') return `${kind} ${message.method} ${cut(message.params)}`;
  return kind === 'dispatch' ? `${kind} ${cut(message.params)}` : `${kind} ${cut(message.data.toString('latin1'))}`;
}

function cut(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, 400);
}
