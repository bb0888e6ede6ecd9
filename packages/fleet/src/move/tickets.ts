import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject, type URI } from '@moorage/protocol';
import type { FleetKeys } from '../identity/fleet-keys.js';

/** What a person has allowed a host: to read a session, and to take it. Any gateway of the fleet can check it. */
export interface Ticket {
  readonly session: URI;
  /** Who may take it. */
  readonly to: string;
  /** Whose it is. */
  readonly from: string;
  /** The epoch in which it is that host's. */
  readonly epoch: number;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Milliseconds: as long as it may take to move the files of a large folder over a slow network. */
const TICKET_MS = 30 * 60_000;

export function writeTicket(keys: FleetKeys, ticket: Ticket): string {
  const body = Buffer.from(JSON.stringify(ticket)).toString('base64url');
  return `${body}.${macOf(keys, body).toString('base64url')}`;
}

/** One that is good from now on, for as long as taking a session may last. */
export function ticketFor(keys: FleetKeys, of: Omit<Ticket, 'until'>, now: number): string {
  return writeTicket(keys, { ...of, until: now + TICKET_MS });
}

/** Undefined for one that is not of this fleet, of another host, or too old. */
export function readTicket(keys: FleetKeys, text: unknown, by: string, now: number): Ticket | undefined {
  if (typeof text !== 'string') return undefined;
  const [body = '', mac = ''] = text.split('.');
  const [shown, right] = [Buffer.from(mac, 'base64url'), macOf(keys, body)];
  if (shown.length !== right.length || !timingSafeEqual(shown, right)) return undefined;
  const ticket: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
  if (!isObject(ticket) || ticket.to !== by || !((ticket.until as number) > now)) return undefined;
  return ticket as unknown as Ticket;
}

/** With a key of its own, made of one that only gateways have. */
function macOf(keys: FleetKeys, body: string): Buffer {
  const key = createHmac('sha256', keys.account).update('moorage tickets to take sessions').digest();
  return createHmac('sha256', key).update(body).digest();
}
