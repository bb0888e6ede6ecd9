import { type ActionEnvelope, CloseCodes, type CloseInfo } from '@moorage/protocol';
import { nodeClock } from './adapters/shared/clock/node-clock.js';
import type { Timers } from './adapters/shared/transport/wire-transport.js';
import { type DialledHost, type DialOptions, dialHost, type ShareRequest } from './adapters/transport-bus/index.js';
import { behindLine, readSharedLine } from './adapters/transport-bus/shared-lines.js';
import {
  actionFrame,
  Delivery,
  deliverAll,
  encodeEnvelope,
  type OutgoingMessage,
  type Recipient,
} from './core/delivery.js';
import type { ClientTransport } from './ports/transport.js';
import { MAX_QUEUED_CHARS } from './server/limits.js';
import { Outbox } from './server/outbox.js';

export type SharedClientsOptions = Omit<DialOptions, 'from' | 'isWay'>;

/** A client's place among those that share a connection to its host. */
export interface SharedSeat {
  /** To be sent to the host when the client is connected with it. */
  readonly share: ShareRequest;
  /** Takes what the host says to this client alone, and passes it on where it has its place among what all get. */
  own(text: string): void;
  /** Its connection with the host has ended: it is closed once it has what the host said to it before. */
  end(info: CloseInfo): void;
}

/** Milliseconds for the places of the last messages to be said: they are under way, unless the connection was lost. */
const LAST_MS = 1_000;

/**
 * A gateway's end of what its clients share at a host: however many follow a channel, each message of it travels once, and is
 * given to each of them here, in the order in which the host has said everything. Rejects with a BusError of the kind `unserved` for a
 * host that is away or too old.
 */
export async function openSharedClients(options: SharedClientsOptions): Promise<SharedClients> {
  const way = crypto.randomUUID();
  const host = await dialHost({ ...options, from: { connection: way }, isWay: true });
  return new SharedClients(way, host, options.clock ?? nodeClock);
}

/** What clients of a gateway share at one host. */
export class SharedClients {
  readonly #way: string;
  readonly #host: DialledHost;
  readonly #timers: Timers;
  readonly #clients = new Map<number, SharedClient>();
  readonly #groups = new Map<number, Set<SharedClient>>();
  #last = 0;
  #ended: CloseInfo | undefined;

  constructor(way: string, host: DialledHost, timers: Timers) {
    this.#way = way;
    this.#host = host;
    this.#timers = timers;
    host.onMessage((text) => this.#heard(text));
    host.onClose((info) => this.#end(info));
    host.resume();
  }

  /** Takes a client in. It must be connected with the host by the caller. */
  seat(transport: ClientTransport): SharedSeat {
    const number = ++this.#last;
    const client = new SharedClient(transport, (isBehind) => this.#host.send(behindLine({ client: number, isBehind })));
    this.#clients.set(number, client);
    transport.onClose(() => {
      this.#clients.delete(number);
      for (const group of client.groups) this.#leave(group, client);
    });
    if (this.#ended) this.#close(client);
    return {
      share: { way: this.#way, client: number },
      own: (text) => client.own(text),
      end: (info) => client.end(info, this.#timers),
    };
  }

  /** Called when the connection has ended; all clients are closed then. */
  onClose(listener: () => void): void {
    this.#host.onClose(listener);
  }

  close(): void {
    this.#host.close(CloseCodes.Normal);
    this.#end({});
  }

  #end(info: CloseInfo): void {
    if (this.#ended) return;
    this.#ended = info;
    for (const client of this.#clients.values()) this.#close(client);
  }

  #close({ transport }: SharedClient): void {
    const { code, reason } = this.#ended ?? {};
    transport.close(
      code === CloseCodes.GoingAway ? code : CloseCodes.TryAgainLater,
      reason ?? 'the connection to the host was lost',
    );
  }

  #heard(text: string): void {
    let messages: GroupMessage[] = [];
    const deliver = () => {
      if (messages.length > 0) deliverAll(messages, (to) => this.#groups.get(to) ?? []);
      messages = [];
    };
    for (const said of text.split('\n')) {
      const line = readSharedLine(said);
      if (line?.kind === 'frame') {
        messages.push(new GroupMessage(line.group, line.frame));
        continue;
      }
      deliver();
      if (!line) {
        this.#host.close(CloseCodes.ProtocolError, 'not understood');
        return;
      }
      const client = this.#clients.get(line.client);
      if (!client) continue; // it has left
      if (line.kind === 'mark') client.mark();
      else if (line.kind === 'join') this.#join(line.group, client);
      else this.#leave(line.group, client);
    }
    deliver();
  }

  #join(group: number, client: SharedClient): void {
    const members = this.#groups.get(group) ?? new Set();
    this.#groups.set(group, members.add(client));
    client.groups.add(group);
  }

  #leave(group: number, client: SharedClient): void {
    const members = this.#groups.get(group);
    members?.delete(client);
    client.groups.delete(group);
    if (members?.size === 0) this.#groups.delete(group);
  }
}

/** A client, and what it gets: from the others' connection and from its own, in one order. */
class SharedClient implements Recipient<GroupMessage> {
  readonly transport: ClientTransport;
  readonly groups = new Set<number>();
  readonly #outbox: Outbox;
  readonly #onBehind: (isBehind: boolean) => void;
  /** Its own messages whose place has not been said yet. */
  readonly #early: string[] = [];
  /** What comes after a place whose own message has not arrived; the place itself is `undefined`. */
  #waiting: (Delivery | undefined)[] = [];
  #waitingChars = 0;
  #isBehind = false;
  #ended: CloseInfo | undefined;

  constructor(transport: ClientTransport, onBehind: (isBehind: boolean) => void) {
    this.transport = transport;
    this.#onBehind = onBehind;
    const encode = (envelope: ActionEnvelope) => actionFrame(encodeEnvelope(envelope));
    this.#outbox = new Outbox(transport, encode, () => this.#tooSlow());
  }

  own(text: string): void {
    if (this.#waiting.length === 0) {
      this.#early.push(text);
      return;
    }
    this.#waiting.shift();
    this.#send(text);
    this.#release();
  }

  mark(): void {
    const text = this.#waiting.length === 0 ? this.#early.shift() : undefined;
    if (text !== undefined) this.#send(text);
    else this.#waiting.push(undefined);
    if (this.#ended && this.#early.length === 0) this.#close(this.#ended);
  }

  end(info: CloseInfo, timers: Timers): void {
    if (this.#early.length === 0) {
      this.#close(info);
      return;
    }
    this.#ended = info;
    const timer = timers.setTimeout(() => this.#close(info), LAST_MS);
    this.transport.onClose(() => timers.clearTimeout(timer));
  }

  #close({ code, reason }: CloseInfo): void {
    this.transport.close(code, reason);
  }

  deliver(delivery: Delivery): void {
    if (this.#waiting.length === 0) {
      this.#outbox.deliver(delivery);
      this.#noteBehind();
      return;
    }
    this.#waiting.push(delivery);
    this.#waitingChars += charsOf(delivery);
    if (this.#waitingChars > MAX_QUEUED_CHARS) this.#tooSlow();
  }

  #release(): void {
    const next = this.#waiting.indexOf(undefined);
    const ready = this.#waiting.splice(0, next < 0 ? this.#waiting.length : next);
    for (const delivery of ready) {
      if (!delivery) continue;
      this.#waitingChars -= charsOf(delivery);
      this.#outbox.deliver(delivery);
    }
    this.#noteBehind();
  }

  #send(text: string): void {
    if (isAction(text)) this.#outbox.deliver(new Delivery([new GroupMessage(0, text)]));
    else this.#outbox.send(text);
    this.#noteBehind();
  }

  #noteBehind(): void {
    if (this.#isBehind || this.#outbox.isFlowing) return;
    this.#isBehind = true;
    this.#onBehind(true);
    void this.#outbox.drained().then(() => {
      this.#isBehind = false;
      this.#onBehind(false);
    });
  }

  #tooSlow(): void {
    this.transport.close(CloseCodes.TryAgainLater, 'too slow; reconnect to resume');
  }
}

/** A message as it travels: it is looked into only for a client that cannot keep up, to merge appends. */
class GroupMessage implements OutgoingMessage {
  readonly to: number;
  readonly frame: string;
  #envelope: ActionEnvelope | undefined;

  constructor(to: number, frame: string) {
    this.to = to;
    this.frame = frame;
  }

  get envelope(): ActionEnvelope | undefined {
    if (isAction(this.frame)) this.#envelope ??= (JSON.parse(this.frame) as { params: ActionEnvelope }).params;
    return this.#envelope;
  }
}

function isAction(frame: string): boolean {
  return frame.startsWith(ACTION);
}

const ACTION = actionFrame('').slice(0, -1);

function charsOf({ messages }: Delivery): number {
  return messages.reduce((sum, { frame }) => sum + frame.length, 0);
}
