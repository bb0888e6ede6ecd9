import { CloseCodes } from '@moorage/protocol';
import type { ClientTransport, SharedPlace, SharedWay } from '../../ports/transport.js';
import { frameLine, joinLine, leaveLine, markLine, readBehindLine } from './shared-lines.js';

/** Bytes that wait for a gateway before its clients count as behind, so that programs in terminals pause. */
const BEHIND_BYTES = 1024 * 1024;

/** Bytes that wait for a gateway before it is cut off, and its clients come back for what they missed. */
const MAX_BACKLOG_BYTES = 64 * 1024 * 1024;

/** UTF-16 units of lines that go as one message: enough for any usual tick, and far below what a message may have. */
const MESSAGE_CHARS = 1024 * 1024;

/** A host's end of what the clients of one gateway share. */
export class BusWay implements SharedWay {
  readonly #transport: ClientTransport;
  readonly #members = new Map<number, { readonly transport: ClientTransport; caughtUp: (() => void)[] | undefined }>();
  #groups = 0;
  #lines: string[] = [];
  #chars = 0;
  #drained: (() => void)[] = [];

  constructor(transport: ClientTransport) {
    this.#transport = transport;
    transport.onMessage((text) => this.#heard(text));
    transport.onDrain(() => {
      for (const resolve of this.#drained.splice(0)) resolve();
    });
    transport.onClose(() => {
      // What they would get by themselves has its place among what does not come any more.
      for (const member of this.#members.values()) member.transport.close(CloseCodes.TryAgainLater, LOST);
    });
  }

  /** A place for a client that is connected with `transport`. */
  place(client: number, transport: ClientTransport): SharedPlace {
    const members = this.#members;
    const way = this.#transport;
    const member = { transport, caughtUp: undefined as (() => void)[] | undefined };
    members.set(client, member);
    transport.onClose(() => members.delete(client));
    return {
      way: this,
      client,
      mark: () => this.#say(markLine(client)),
      get isBehind() {
        return member.caughtUp !== undefined || way.backlog > BEHIND_BYTES;
      },
      drained: async () => {
        if (way.backlog > BEHIND_BYTES) await new Promise<void>((resolve) => this.#drained.push(resolve));
        if (member.caughtUp) await new Promise<void>((resolve) => member.caughtUp?.push(resolve));
      },
    };
  }

  newGroup(): number {
    return ++this.#groups;
  }

  join(group: number, client: number): void {
    this.#say(joinLine(group, client));
  }

  leave(group: number, client: number): void {
    this.#say(leaveLine(group, client));
  }

  send(group: number, frame: string): void {
    this.#say(frameLine(group, frame));
  }

  /** What is said in one go travels together. */
  #say(line: string): void {
    if (this.#lines.length === 0) queueMicrotask(() => this.#send());
    this.#lines.push(line);
    this.#chars += line.length;
    if (this.#chars > MESSAGE_CHARS) this.#send();
  }

  #send(): void {
    if (this.#lines.length === 0) return;
    this.#transport.send(this.#lines.join('\n'));
    this.#lines = [];
    this.#chars = 0;
    if (this.#transport.backlog > MAX_BACKLOG_BYTES)
      this.#transport.close(CloseCodes.TryAgainLater, 'the gateway does not keep up');
  }

  #heard(text: string): void {
    const line = readBehindLine(text);
    const member = line && this.#members.get(line.client);
    if (!member) return;
    const waiting = member.caughtUp;
    member.caughtUp = line.isBehind ? (waiting ?? []) : undefined;
    if (!line.isBehind) for (const resolve of waiting ?? []) resolve();
  }
}

const LOST = 'the connection to the gateway was lost';
