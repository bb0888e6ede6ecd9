import { Buffer } from 'node:buffer';
import type { Log, SessionTexts } from '@moorage/host';
import {
  ExtensionMeta,
  isObject,
  JsonRpcErrorCodes,
  type ListSessionsParams,
  RpcError,
  type SessionSummary,
} from '@moorage/protocol';
import type { FleetStore, KeptSession, SessionCursor } from '../store/fleet-store.js';
import { type FleetSessions, type ListedSession, type NamedHost, withHost } from './fleet-sessions.js';

export interface SessionListingOptions {
  readonly live: FleetSessions;
  readonly kept: FleetStore['sessions'];
  /** All hosts that were ever enrolled. */
  readonly hosts: () => ReadonlyMap<string, NamedHost & { readonly labels: readonly string[] }>;
  readonly isHere: (host: string) => boolean;
  readonly log: Log;
}

/** Sessions of hosts that are away, on one page. Who does not say how many gets those that are live, and so many of these. */
const MAX_KEPT = 1_000;

/** The sessions of all hosts, newest first: from memory of those that are there, from the fleet's store of the others. */
export function sessionListing({ live, kept, hosts, isHere, log }: SessionListingOptions) {
  /** Those that are there are listed all the same. */
  const noteFailure = (error: unknown) => {
    log.write('warn', 'fleet.not-listed', 'sessions of hosts that are away could not be listed', {
      error: String(error),
    });
    return undefined;
  };
  return async ({ limit, cursor, _meta }: ListSessionsParams): Promise<SessionTexts> => {
    if (limit !== undefined && (!Number.isInteger(limit) || limit <= 0))
      throw invalid('params/limit: expected a whole number above 0');
    const filter = readFilter(_meta?.[ExtensionMeta.filter]);
    const after = cursor === undefined ? {} : readCursor(cursor);
    const wanted = [...hosts().values()].filter(({ id, name, labels }) => {
      const isNamed = filter.hosts === undefined || filter.hosts.includes(id) || filter.hosts.includes(name);
      return isNamed && (filter.labels ?? []).every((label) => labels.includes(label));
    });
    const away = wanted.filter(({ id }) => !isHere(id)).map(({ id }) => id);
    const { status, title } = filter;
    const query = { limit: Math.min(limit ?? MAX_KEPT, MAX_KEPT), ...(status && { status }), ...(title && { title }) };
    const older =
      away.length === 0 || after.kept === null
        ? undefined
        : await kept.page({ ...query, hosts: away }, after.kept).catch(noteFailure);

    const wantedIds = new Set(wanted.map(({ id }) => id));
    const passes = ({ host, shown }: ListedSession) =>
      wantedIds.has(host) &&
      (status === undefined || (shown.status & status) !== 0) &&
      (title === undefined || shown.title.toLowerCase().includes(title.toLowerCase()));
    const page = new Page(limit ?? Number.POSITIVE_INFINITY);
    const all = live.all;
    let index = after.live === undefined ? 0 : after.live === null ? all.length : live.indexAfter(after.live);
    for (const one of older?.sessions ?? []) {
      for (; index < all.length && !page.isFull; index++) {
        const listed = all[index] as ListedSession;
        if (Date.parse(listed.shown.modifiedAt) < one.cursor.modifiedAt) break;
        if (passes(listed)) page.addLive(listed);
      }
      if (page.isFull) break;
      const host = hosts().get(one.host);
      page.addKept(one, host && !live.has(resourceOf(one) ?? '') ? textOf(one, host) : undefined);
    }
    const areKeptLeft = older?.next !== undefined || (older !== undefined && page.keptCount < older.sessions.length);
    // Live ones that are older than the last of this page come with the next.
    for (; index < all.length && !page.isFull && older?.next === undefined; index++) {
      const listed = all[index] as ListedSession;
      if (passes(listed)) page.addLive(listed);
    }
    if (!areKeptLeft && index >= all.length) return { items: page.items };
    const next: Cursor = {
      live: index >= all.length ? null : (page.lastLive ?? after.live),
      kept: areKeptLeft ? (page.lastKept ?? after.kept) : null,
    };
    return { items: page.items, nextCursor: writeCursor(next) };
  };
}

/** The sessions that were kept of one host, as it would list them itself. */
export function keptListing(kept: FleetStore['sessions'], host: string) {
  return async ({ limit, cursor }: ListSessionsParams): Promise<SessionTexts> => {
    if (limit !== undefined && (!Number.isInteger(limit) || limit <= 0))
      throw invalid('params/limit: expected a whole number above 0');
    const after = cursor === undefined ? undefined : (readCursor(cursor).kept ?? undefined);
    const { sessions, next } = await kept.page({ limit: Math.min(limit ?? MAX_KEPT, MAX_KEPT), hosts: [host] }, after);
    const items = sessions.filter((one) => resourceOf(one) !== undefined).map(({ summary }) => summary);
    return { items, ...(next && { nextCursor: writeCursor({ kept: next }) }) };
  };
}

/** Where a page ended in each of the two lists: undefined before the first, null after the last. */
interface Cursor {
  readonly live?: Pick<SessionSummary, 'modifiedAt' | 'resource'> | null | undefined;
  readonly kept?: SessionCursor | null | undefined;
}

class Page {
  readonly items: string[] = [];
  lastLive: Cursor['live'];
  lastKept: Cursor['kept'];
  keptCount = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.items.length >= this.#limit;
  }

  addLive({ text, shown: { modifiedAt, resource } }: ListedSession): void {
    this.items.push(text);
    this.lastLive = { modifiedAt, resource };
  }

  /** Without a text it is left out: a host that is there has it now. */
  addKept({ cursor }: KeptSession, text: string | undefined): void {
    if (text !== undefined) this.items.push(text);
    this.lastKept = cursor;
    this.keptCount++;
  }
}

/** The summary of a kept session, with its host. What cannot be read is left out. */
function textOf({ summary }: KeptSession, host: NamedHost): string | undefined {
  try {
    return JSON.stringify(withHost(JSON.parse(summary) as SessionSummary, { ...host, isAway: true }));
  } catch {
    return undefined;
  }
}

/** Undefined for a summary that cannot be read. */
function resourceOf({ summary }: KeptSession): string | undefined {
  try {
    const { resource } = JSON.parse(summary) as { resource?: unknown };
    return typeof resource === 'string' ? resource : undefined;
  } catch {
    return undefined;
  }
}

interface Filter {
  /** Ids or names. */
  readonly hosts?: readonly string[];
  readonly labels?: readonly string[];
  /** Those whose status has one of these bits. */
  readonly status?: number;
  /** A part of the title, in any case. */
  readonly title?: string;
}

const MAX_FILTER_WORDS = 1_000;
const MAX_TITLE_CHARS = 200;

function readFilter(value: unknown): Filter {
  if (value === undefined) return {};
  if (!isObject(value)) throw wrongFilter();
  const { hosts, labels, status, title } = value;
  for (const words of [hosts, labels]) {
    if (words === undefined) continue;
    if (!Array.isArray(words) || words.length > MAX_FILTER_WORDS || !words.every((word) => typeof word === 'string'))
      throw wrongFilter();
  }
  if (status !== undefined && (!Number.isInteger(status) || (status as number) < 0 || (status as number) > MAX_STATUS))
    throw wrongFilter();
  if (title !== undefined && (typeof title !== 'string' || title.length > MAX_TITLE_CHARS || title.includes('\0')))
    throw wrongFilter();
  return value as Filter;
}

/** PostgreSQL's `int`. */
const MAX_STATUS = 0x7fffffff;

function wrongFilter(): RpcError {
  return invalid(
    `params/_meta/${ExtensionMeta.filter}: expected { hosts, labels, status, title }, lists of words, a number and a text`,
  );
}

function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function readCursor(text: string): Cursor {
  try {
    const cursor = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
    if (isObject(cursor)) {
      const { live, kept } = cursor;
      const isLive = live == null || (isObject(live) && isText(live.modifiedAt) && isText(live.resource));
      const isKept =
        kept == null || (isObject(kept) && Number.isFinite(kept.modifiedAt) && Number.isSafeInteger(kept.id));
      if (isLive && isKept) return cursor as Cursor;
    }
  } catch {
    // not one of ours
  }
  throw invalid('params/cursor: expected the "nextCursor" of an earlier answer');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function invalid(message: string): RpcError {
  return new RpcError(JsonRpcErrorCodes.InvalidParams, message);
}
