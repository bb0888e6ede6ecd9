import type { FeedBatch } from '@moorage/host';
import { isObject, type URI } from '@moorage/protocol';
import type { HostAppend, Verdict } from '../store/fleet-store.js';
import { MARK } from '../store/large-documents.js';

/** What a keeper answers. `part`: it has this part. `incomplete`: parts are missing, send all of them again. */
export type Answer = Verdict | { readonly verdict: 'part' } | { readonly verdict: 'incomplete' };

/** One message of a batch: a line that says which part it is, then the bytes. */
export interface Part {
  readonly batch: string;
  readonly number: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** Of one batch; each is stored by itself until the last is here. */
const MAX_PARTS = 2048;
/** Characters of a batch's name: a UUID has 36. */
const MAX_BATCH_CHARS = 64;
/** Bytes of the line before a part. */
const HEADER_BYTES = 256;

export function partsOf(append: Omit<HostAppend, 'host'>, batch: string, maxBytes: number): readonly Uint8Array[] {
  return inParts(Buffer.from(JSON.stringify(append)), batch, maxBytes);
}

export function inParts(bytes: Uint8Array, batch: string, maxBytes: number): readonly Uint8Array[] {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const room = maxBytes - HEADER_BYTES;
  const count = Math.max(1, Math.ceil(body.length / room));
  return Array.from({ length: count }, (_, number) => {
    const header = `${JSON.stringify({ batch, number, count })}\n`;
    return Buffer.concat([Buffer.from(header), body.subarray(number * room, (number + 1) * room)]);
  });
}

/** Throws for what is not a part of a batch. */
export function readPart(message: Uint8Array): Part {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const end = bytes.subarray(0, HEADER_BYTES).indexOf(10);
  const header: unknown = JSON.parse(bytes.toString('utf8', 0, Math.max(0, end)));
  if (!isObject(header)) throw wrong('its header');
  const { batch, number, count } = header;
  const isPart = isNumber(number) && isNumber(count) && number < count && count <= MAX_PARTS;
  if (typeof batch !== 'string' || batch.length > MAX_BATCH_CHARS || !isPart) throw wrong('its header');
  return { batch, number, count, bytes: bytes.subarray(end + 1) };
}

/** Throws for what is not a batch. Names the host as the bus does, whatever the batch says. */
export function readAppend(host: string, body: Uint8Array): HostAppend {
  const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
  if (!isObject(value)) throw wrong('it');
  const { feed, start, epochs, batch } = value;
  if (!isText(feed) || !isNumber(start) || !isObject(epochs) || !isObject(batch)) throw wrong('its members');
  if (!Object.values(epochs).every(isNumber)) throw wrong('an epoch');
  const { after, upTo, channels, log, sessions, documents } = batch;
  if (!isNumber(after) || !isNumber(upTo) || after > upTo || start > after) throw wrong('its range');
  require(channels, isChannel, 'a channel');
  require(log, isLogEntry, 'a log entry');
  require(sessions, isSession, 'a session');
  require(documents, isDocument, 'a document');
  return { host, feed, start, epochs: epochs as Record<URI, number>, batch: batch as unknown as FeedBatch };
}

function require(values: unknown, is: (value: Record<string, unknown>) => boolean, what: string): void {
  if (!Array.isArray(values) || !values.every((value) => isObject(value) && is(value))) throw wrong(what);
}

function isChannel({ uri, kind, session, snapshot, replayableAfter, isWhole }: Record<string, unknown>): boolean {
  const isSnapshot = snapshot === undefined || (isObject(snapshot) && isNumber(snapshot.seq) && isText(snapshot.json));
  const isNamed = isText(uri) && isText(kind) && isText(session);
  return isNamed && isSnapshot && isNumber(replayableAfter) && typeof isWhole === 'boolean';
}

function isLogEntry({ channel, firstSeq, lastSeq, envelopes }: Record<string, unknown>): boolean {
  return isText(channel) && isNumber(firstSeq) && isNumber(lastSeq) && firstSeq <= lastSeq && isText(envelopes);
}

function isSession({ session, modifiedAt, summary, disposedAt }: Record<string, unknown>): boolean {
  const isTime = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
  return isText(session) && isTime(modifiedAt) && isText(summary) && (disposedAt === undefined || isTime(disposedAt));
}

function isDocument({ collection, key, session, json }: Record<string, unknown>): boolean {
  const areTexts = [session, json].every((value) => value === undefined || isText(value));
  return isText(collection) && isText(key) && areTexts && !(json as string | undefined)?.startsWith(MARK);
}

/** PostgreSQL has no text with a zero in it, and JSON does not need one. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function wrong(what: string): TypeError {
  return new TypeError(`not a batch of a host: ${what} is wrong`);
}

export function readAnswer(body: Uint8Array): Answer {
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  if (!isObject(value) || typeof value.verdict !== 'string') throw new TypeError('not the answer of a keeper');
  return value as unknown as Answer;
}

/** Where a host's batches go; `*` for those of all hosts. */
export function shipSubject(host: string): string {
  return `ahp.h.${host}.ship`;
}
