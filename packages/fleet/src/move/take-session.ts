import { type Bus, BusError, type Clock } from '@moorage/host';
import {
  AhpErrorCodes,
  JsonRpcErrorCodes,
  RpcError,
  type TakeSessionParams,
  type TakeSessionResult,
} from '@moorage/protocol';
import { addressOfHost } from '../gateway/fleet-sessions.js';
import type { FleetKeys } from '../identity/fleet-keys.js';
import type { FleetStore } from '../store/fleet-store.js';
import { type TakeAnswer, type TakeRequest, takeSubject } from './messages.js';
import { ticketFor } from './tickets.js';

export interface TakingOptions {
  readonly bus: Bus;
  readonly store: FleetStore;
  readonly keys: FleetKeys;
  readonly clock: Pick<Clock, 'now' | 'setTimeout'>;
  readonly presence: { has(host: string): boolean; readonly isComplete: boolean };
  readonly hosts: () => ReadonlyMap<string, { readonly name: string; readonly revokedAt: number | undefined }>;
}

/** Milliseconds for a host to say how far it is: it answers after half of that at the latest. */
export const TAKE_ANSWER_MS = 20_000;

/** Milliseconds for which whoever asked waits. A host that is slower has the session all the same, later. */
const TAKING_MS = 30 * 60_000;

/** Has another host go on with a session whose host is away. Throws an RpcError that says why not. */
export function takingSessions({ bus, store, keys, clock, presence, hosts }: TakingOptions) {
  const nameOf = (host: string) => hosts().get(host)?.name ?? host;
  const isHere = (host: string) => presence.has(host) && hosts().get(host)?.revokedAt === undefined;
  const take = async (params: TakeSessionParams, hasWaited = false): Promise<TakeSessionResult> => {
    const { channel: session, host: to, folder } = params;
    const owner = await store.sessions.owner(session);
    if (!owner) throw new RpcError(AhpErrorCodes.SessionNotFound, `the fleet has no session ${session}`);
    const member = hosts().get(to);
    if (!member || member.revokedAt !== undefined)
      throw new RpcError(AhpErrorCodes.NotFound, `there is no host ${to} in the fleet`);
    if (!isHere(to)) throw refused(`the host ${member.name} is away, so it cannot go on with the session`);
    if (owner.host === to) throw refused(`the session is on ${member.name} already`);
    if (isHere(owner.host))
      throw refused(
        `the host ${nameOf(owner.host)} is there and has the session: stop it first, if another host shall go on with it`,
      );
    const isRevoked = hosts().get(owner.host)?.revokedAt !== undefined;
    if (!isRevoked && !presence.isComplete)
      throw refused('this gateway does not know yet which hosts are there: try again in a few seconds');
    // It stops its agents by itself when it is cut off. Until then it may still be at work.
    const leased = await store.moves.leasedFor(owner.host);
    if (leased > 0 && hasWaited)
      throw refused(
        `the host ${nameOf(owner.host)} is in touch with another gateway and has the session: stop it first, or ask there`,
      );
    if (leased > 0) {
      await new Promise<void>((resolve) => clock.setTimeout(resolve, leased));
      return take(params, true);
    }
    const { host: from, epoch } = owner;
    const until = clock.now() + TAKING_MS;
    const ticket = ticketFor(keys, { session, to, from, epoch }, clock.now());
    const body = JSON.stringify({ ticket, session, from, epoch, folder } satisfies TakeRequest);
    for (;;) {
      const answer = await ask(to, body, member.name);
      if ('underWay' in answer && clock.now() < until) continue;
      if ('refused' in answer) throw refused(answer.refused);
      if ('files' in answer) {
        const { folder: at, others, files, leftOut } = answer;
        const folders = { ...(at !== undefined && { folder: at }), ...(others && { otherFolders: [...others] }) };
        return { address: addressOfHost(to), ...folders, files, leftOut };
      }
      throw refused(`the host ${member.name} has not finished in time`);
    }
  };
  return (params: TakeSessionParams) => take(params);

  async function ask(to: string, body: string, name: string): Promise<TakeAnswer> {
    try {
      const answer = await bus.request(takeSubject(to), new TextEncoder().encode(body), TAKE_ANSWER_MS);
      return JSON.parse(new TextDecoder().decode(answer)) as TakeAnswer;
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      throw refused(
        error.kind === 'unserved'
          ? `the host ${name} cannot take sessions: it runs an older version, or was started with --no-ship-files`
          : `the host ${name} does not answer: ask again, and it says whether it has taken the session`,
      );
    }
  }
}

function refused(message: string): RpcError {
  return new RpcError(JsonRpcErrorCodes.InvalidRequest, message);
}
