import type { ActionEnvelope, ChannelKind, ChatState, RootState, StateAction, SubscribeView } from '@moorage/protocol';
import type { Clock } from '../clock.js';
import { ProtocolError, RequestError } from '../errors.js';
import { type ChannelSnapshot, readSnapshot } from '../wire/read-snapshot.js';
import { Channel } from './channel.js';
import type { ChannelContext } from './context.js';
import { Refresher } from './refresher.js';
import { Subscribing } from './subscribing.js';

export interface TableContext extends ChannelContext {
  readonly clock: Clock;
  readonly isLive: boolean;
  /** The `snapshot` that the host answers to a `subscribe`, as it came. */
  subscribe(uri: string, view?: SubscribeView): Promise<unknown>;
  unsubscribe(uri: string): void;
  report(error: unknown): void;
}

export type Entry = Subscribing<ChannelKind> | Channel<ChannelKind>;

/** Every channel with state that this client is subscribed to, by URI. */
export class ChannelTable {
  readonly #context: TableContext;
  readonly #refresher: Refresher;
  readonly #entries = new Map<string, Entry>();

  constructor(context: TableContext) {
    this.#context = context;
    this.#refresher = new Refresher({
      clock: context.clock,
      subscribe: (channel) => context.subscribe(channel.uri, channel.view),
      onGone: (channel) => this.end(channel.uri),
      report: (error) => context.report(error),
    });
  }

  entry(uri: string): Entry | undefined {
    return this.#entries.get(uri);
  }

  entries(): Entry[] {
    return [...this.#entries.values()];
  }

  channel(uri: string): Channel<ChannelKind> | undefined {
    const entry = this.#entries.get(uri);
    return entry instanceof Channel ? entry : undefined;
  }

  channels(): Channel<ChannelKind>[] {
    return this.entries().filter((entry) => entry instanceof Channel);
  }

  /**
   * Takes a channel for one more holder, and subscribes to it if nobody has yet; the view counts only then. The holder
   * counts from this call on.
   */
  async hold(uri: string, kind: ChannelKind, view?: SubscribeView): Promise<Channel<ChannelKind>> {
    const entry = this.#entries.get(uri) ?? this.#subscribe(uri, kind, view);
    if (entry.kind !== kind) throw new RequestError('invalid', 'subscribe', `${uri} is open as ${entry.kind}`);
    entry.holders++;
    return entry instanceof Channel ? entry : entry.channel;
  }

  release(channel: Channel<ChannelKind>): void {
    channel.holders--;
    if (channel.holders > 0 || this.#entries.get(channel.uri) !== channel) return;
    this.#entries.delete(channel.uri);
    channel.end('released');
    this.#context.unsubscribe(channel.uri);
  }

  /** A channel whose snapshot comes with the first handshake; kept until somebody has held it and the last holder is gone. */
  expect(uri: string, kind: ChannelKind): void {
    const entry = new Subscribing(uri, kind, { expected: true }, this.#context);
    // The client itself holds the root channel for good: the host's notifications depend on it (B-86).
    if (kind === 'root') entry.holders++;
    this.#entries.set(uri, entry);
  }

  receive(envelope: ActionEnvelope): void {
    const entry = this.#entries.get(envelope.channel);
    if (!entry) return; // it was on its way when we unsubscribed
    const over = this.#endedBy(envelope); // before it is applied: what it removes is not listed afterwards
    const isBeyond = entry instanceof Channel && endsBeforeView(entry, envelope);
    entry.receive(envelope);
    if (isBeyond) this.distrust(envelope.channel, undefined);
    for (const uri of over) this.end(uri);
  }

  /** An envelope for this channel could not be read: its state is to be fetched anew. */
  distrust(uri: string, answered: number | undefined): void {
    const entry = this.#entries.get(uri);
    if (entry instanceof Subscribing) entry.distrusted = true;
    if (!(entry instanceof Channel)) return;
    entry.distrust(answered);
    if (this.#context.isLive) this.#refresher.refresh(entry);
  }

  /** The first snapshot of a channel has come. */
  welcome(entry: Subscribing<ChannelKind>, snapshot: ChannelSnapshot<ChannelKind>): void {
    const kept = entry.distrusted ? [] : entry.kept; // with one missing the others are no use
    const channel = new Channel(entry.uri, entry.kind, entry.view, snapshot, kept, this.#context);
    channel.holders = entry.holders;
    this.#entries.set(entry.uri, channel);
    if (entry.distrusted) this.distrust(entry.uri, undefined);
    entry.resolve(channel);
  }

  /** There will be no first snapshot. */
  abandon(entry: Subscribing<ChannelKind>, error: unknown): void {
    if (this.#entries.get(entry.uri) === entry) this.#entries.delete(entry.uri);
    entry.reject(error instanceof ProtocolError ? asRequestError(error) : error);
  }

  /** The host has dropped the channel. */
  end(uri: string): void {
    const channel = this.channel(uri);
    if (!channel) return;
    this.#entries.delete(uri);
    channel.end('gone');
  }

  suspend(): void {
    this.#refresher.stop();
    for (const channel of this.channels()) channel.suspend();
  }

  goLive(): void {
    for (const channel of this.channels()) if (channel.phase === 'stale') this.#refresher.refresh(channel);
  }

  close(): void {
    this.#refresher.stop();
    for (const channel of this.channels()) channel.end('closed');
    this.#entries.clear();
  }

  #subscribe(uri: string, kind: ChannelKind, view: SubscribeView | undefined): Subscribing<ChannelKind> {
    const entry = new Subscribing(uri, kind, { view, expected: false }, this.#context);
    this.#entries.set(uri, entry);
    this.#context
      .subscribe(uri, view)
      .then((value) => {
        if (this.#entries.get(uri) !== entry) return; // closed meanwhile
        this.welcome(entry, readSnapshot(kind, uri, value));
        if (!this.#context.isLive) this.channel(uri)?.suspend(); // the connection broke right after the answer
      })
      .catch((error: unknown) => {
        if (mayBeSubscribed(error)) this.#context.unsubscribe(uri);
        this.abandon(entry, error);
      });
    return entry;
  }

  /** The channels that this action ends, which hear nothing of it (OQ-17). One made again since has a higher number. */
  #endedBy(envelope: ActionEnvelope): string[] {
    if (envelope.rejectionReason !== undefined) return [];
    const { channel, serverSeq } = envelope;
    return this.#leftOutBy(channel, envelope.action).filter((uri) => {
      const ended = this.channel(uri);
      return ended && ended.replica.seq < serverSeq;
    });
  }

  #leftOutBy(channel: string, action: StateAction): string[] {
    switch (action.type) {
      case 'session/chatRemoved':
        return [action.chat];
      case 'changeset/disposed':
        return [channel];
      case 'root/terminalsChanged': {
        const before = (this.channel(channel)?.replica.confirmed as RootState | undefined)?.terminals ?? [];
        const now = new Set(action.terminals.map(({ resource }) => resource));
        return before.flatMap(({ resource }) => (now.has(resource) ? [] : resource));
      }
      default:
        return [];
    }
  }
}

/** Whether a chat is cut off after a turn that we have not loaded: what is left of it then, we do not have. */
function endsBeforeView(channel: Channel<ChannelKind>, { action, rejectionReason }: ActionEnvelope): boolean {
  if (channel.kind !== 'chat' || action.type !== 'chat/truncated' || rejectionReason !== undefined) return false;
  if (action.turnId === undefined) return false;
  const { turns, turnsNextCursor } = channel.replica.confirmed as ChatState;
  return turnsNextCursor !== undefined && !turns.some(({ id }) => id === action.turnId);
}

/** Whether the host may have subscribed us although we have nothing to show for it. */
function mayBeSubscribed(error: unknown): boolean {
  return error instanceof ProtocolError || (error instanceof RequestError && error.kind === 'timeout');
}

function asRequestError(error: ProtocolError): RequestError {
  return new RequestError('invalid', 'subscribe', error.message, error);
}
