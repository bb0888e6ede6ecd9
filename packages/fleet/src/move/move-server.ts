import type { Bus, BusMessage, BusSubscription, Clock, Log } from '@moorage/host';
import { isObject } from '@moorage/protocol';
import { writeObjects } from '../files/messages.js';
import { OBJECT_ID } from '../files/objects.js';
import type { FleetKeys } from '../identity/fleet-keys.js';
import type { FleetStore } from '../store/fleet-store.js';
import { type MoveRequest, moveSubject, type ReadOf, writeAnswer, writeChannel } from './messages.js';
import { readTicket, type Ticket, ticketFor } from './tickets.js';

export interface MoveServerOptions {
  readonly bus: Bus;
  readonly store: FleetStore;
  readonly keys: FleetKeys;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** All gateways share the work. */
const GROUP = 'keepers';

/** Ids in one question for objects, and their bytes: more are answered with fewer objects. */
export const MAX_OBJECTS = 200;
const MAX_OBJECT_BYTES = 16 * 1024 * 1024;

/** Milliseconds that a host may have nobody take its sessions after it was last heard. */
const MAX_LEASE_MS = 60_000;

/** Milliseconds by which the database may be ahead of the host, and that stopping its agents takes. */
const LEASE_MARGIN_MS = 2_000;

/** Room for the line before the bytes. */
const HEAD_BYTES = 512;

/** Things that were read stay in memory until all their pieces were given, so many and for so many milliseconds. */
const MOST_REMEMBERED = 8;
const REMEMBERED_MS = 10_000;

/** Answers hosts that take sessions, or have lost some. Sessions are read with a ticket only. */
export function serveMoves({ bus, store, keys, clock, log }: MoveServerOptions): BusSubscription {
  const begun = new Map<string, { readonly bytes: Uint8Array; readonly left: number; readonly at: number }>();
  /** A piece of something. The first one is read anew; the others are of the same, if it was this gateway that gave the first. */
  const pieceOf = async (ticket: Ticket, of: ReadOf, at: number): Promise<Uint8Array> => {
    const key = JSON.stringify([ticket, of]);
    const known = at === 0 ? undefined : begun.get(key);
    const bytes = known?.bytes ?? (await read(store, ticket, of));
    const piece = bytes.subarray(at, at + bus.maxBytes - HEAD_BYTES);
    const left = (known?.left ?? bytes.length) - piece.length;
    const now = clock.now();
    begun.delete(key);
    if (left > 0) begun.set(key, { bytes, left, at: now });
    for (const [oldest, given] of begun)
      if (begun.size > MOST_REMEMBERED || now - given.at > REMEMBERED_MS) begun.delete(oldest);
    return writeAnswer({ total: bytes.length }, piece);
  };
  const answer = async ({ subject, body }: BusMessage): Promise<Uint8Array> => {
    const host = subject.split('.')[2] ?? '';
    const request = JSON.parse(new TextDecoder().decode(body)) as MoveRequest;
    switch (request.ask) {
      case 'read': {
        const ticket = readTicket(keys, request.ticket, host, clock.now());
        const owner = ticket && (await store.sessions.owner(ticket.session));
        if (!ticket || !owner || !isOf(owner, ticket)) return writeAnswer({ refused: REFUSED });
        return pieceOf(ticket, request.of, request.at);
      }
      case 'take': {
        const ticket = readTicket(keys, request.ticket, host, clock.now());
        if (!ticket) return writeAnswer({ refused: REFUSED });
        const { session, epoch } = ticket;
        const taken = await store.take(session, host, epoch);
        if (taken === 'leased') return writeAnswer({ refused: LEASED });
        if (taken !== 'changed') return writeAnswer(taken);
        const mine = await store.moves.takenBy(session, host); // the answer may have been lost
        if (mine?.epoch === epoch + 1 && mine.from === ticket.from) return writeAnswer(mine);
        return writeAnswer({ refused: 'another host has taken the session meanwhile, or it is gone' });
      }
      case 'resume': {
        if (typeof request.session !== 'string') throw new TypeError('not a question of a host');
        const mine = await store.moves.takenBy(request.session, host);
        if (!mine) return writeAnswer({ refused: 'the session is not of this host' });
        const { session } = request;
        const ticket = { session, to: host, from: mine.from, epoch: mine.epoch - 1 };
        return writeAnswer({ ticket: ticketFor(keys, ticket, clock.now()) });
      }
      case 'lost':
        return writeAnswer({ sessions: await store.moves.takenFrom(host) });
      case 'given-up':
        if (typeof request.session !== 'string') throw new TypeError('not a question of a host');
        await store.moves.settled(host, request.session);
        return writeAnswer({});
      case 'lease': {
        const { ms } = request;
        if (!Number.isFinite(ms) || ms < 0 || ms > MAX_LEASE_MS) throw new TypeError('not a question of a host');
        const isLeased = await store.moves.lease(host, ms === 0 ? 0 : ms + LEASE_MARGIN_MS);
        return writeAnswer(
          isLeased ? {} : { refused: 'others have sessions of this host, which it has to give up first' },
        );
      }
      default:
        throw new TypeError('not a question of a host');
    }
  };
  return bus.serve(
    moveSubject('*'),
    async (message) => {
      try {
        return await answer(message);
      } catch (error) {
        log.write('warn', 'fleet.move-failed', 'a host could not be told what it needs to take a session', {
          subject: message.subject,
          reason: String(error),
        });
        throw error;
      }
    },
    GROUP,
  );
}

/** It is still where the ticket says, or has just been taken with it. */
function isOf(owner: { readonly host: string; readonly epoch: number }, { from, to, epoch }: Ticket): boolean {
  return (owner.host === from && owner.epoch === epoch) || (owner.host === to && owner.epoch === epoch + 1);
}

async function read(store: FleetStore, { session, from }: Ticket, of: ReadOf): Promise<Uint8Array> {
  switch (isObject(of) ? of.kind : undefined) {
    case 'channels':
      return jsonBytes(await store.moves.channels(session));
    case 'channel': {
      const { uri } = of as ReadOf & { kind: 'channel' };
      const channel = await store.channels.read(uri);
      return channel?.session === session ? writeChannel(channel) : new Uint8Array();
    }
    case 'documents':
      return jsonBytes(await store.moves.documents(session, (of as ReadOf & { kind: 'documents' }).after));
    case 'objects': {
      const { ids } = of as ReadOf & { kind: 'objects' };
      if (!Array.isArray(ids) || ids.length > MAX_OBJECTS || !ids.every((id) => OBJECT_ID.test(String(id))))
        throw new TypeError('not ids of files');
      const objects = await store.files.get(from, ids);
      let bytes = 0;
      return writeObjects(
        objects.filter(({ deflated }, index) => {
          bytes += deflated.length;
          return index === 0 || bytes <= MAX_OBJECT_BYTES;
        }),
      );
    }
    default:
      throw new TypeError('not a question of a host');
  }
}

function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

const LEASED = 'the session is of a host that may still be at work: try again in half a minute';

const REFUSED = 'nobody has allowed this host to take the session, or that was too long ago';
