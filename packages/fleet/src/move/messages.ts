import type { StoredChannel } from '@moorage/host';
import type { ChannelKind, URI } from '@moorage/protocol';

/** Where a gateway asks a host to go on with a session. */
export function takeSubject(host: string): string {
  return `ahp.h.${host}.take`;
}

/** Where a host asks gateways for what it needs in order to do so; `*` for that of all hosts. */
export function moveSubject(host: string): string {
  return `ahp.h.${host}.move`;
}

/** What a gateway asks a host. Asked again with the same ticket, it says how far that is. */
export interface TakeRequest {
  readonly ticket: string;
  readonly session: URI;
  readonly from: string;
  readonly epoch: number;
  /** A path on the host. */
  readonly folder?: string | undefined;
}

export type TakeAnswer =
  | { readonly underWay: true }
  | { readonly refused: string }
  | {
      readonly folder: string | undefined;
      /** Of a session with several folders. */
      readonly others?: readonly string[];
      readonly files: number;
      readonly leftOut: number;
    };

/** What a host reads of a session, all with a ticket. Answers are in pieces: the bytes of `of` from `at` on. */
export type ReadOf =
  | { readonly kind: 'channels' }
  | { readonly kind: 'channel'; readonly uri: URI }
  | { readonly kind: 'documents'; readonly after?: { readonly collection: string; readonly key: string } | undefined }
  | { readonly kind: 'objects'; readonly ids: readonly string[] };

export type MoveRequest =
  | { readonly ask: 'read'; readonly ticket: string; readonly of: ReadOf; readonly at: number }
  | { readonly ask: 'take'; readonly ticket: string }
  /** A host that died while it took a session. */
  | { readonly ask: 'resume'; readonly session: URI }
  /** Sessions that others have taken from the host since it last said that it has given them up. */
  | { readonly ask: 'lost' }
  | { readonly ask: 'given-up'; readonly session: URI }
  /** For so many milliseconds no other host is to get its sessions; 0 ends that. Refused while it has lost some. */
  | { readonly ask: 'lease'; readonly ms: number };

export interface NamedChannel {
  readonly uri: URI;
  readonly kind: ChannelKind;
}

export interface LostSession {
  readonly session: URI;
  /** The last number that the fleet had of it. */
  readonly upTo: number;
}

/** A channel's texts as they are: written into JSON once more, they would have to be read twice. */
export function writeChannel({ kind, session, snapshot, tail }: StoredChannel): Uint8Array {
  const json = Buffer.from(snapshot.json);
  return writeAnswer(
    { kind, session, seq: snapshot.seq, bytes: json.length },
    Buffer.concat([json, Buffer.from(tail)]),
  );
}

/** Undefined for one that is not kept. */
export function readChannel(message: Uint8Array): StoredChannel | undefined {
  if (message.length === 0) return undefined;
  const { head, bytes } = readAnswer(message);
  const { kind, session, seq, bytes: length } = head as { kind: ChannelKind; session: URI; seq: number; bytes: number };
  const text = (from: number, to?: number) => new TextDecoder().decode(bytes.subarray(from, to));
  return { kind, session, snapshot: { seq, json: text(0, length) }, tail: text(length) };
}

/** A line, and bytes. */
export function writeAnswer(head: object, bytes: Uint8Array = new Uint8Array()): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]);
}

export function readAnswer(message: Uint8Array): {
  readonly head: Record<string, unknown>;
  readonly bytes: Uint8Array;
} {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const end = bytes.indexOf(10);
  return {
    head: JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, unknown>,
    bytes: bytes.subarray(end + 1),
  };
}
