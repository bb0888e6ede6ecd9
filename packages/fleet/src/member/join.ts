import { Buffer } from 'node:buffer';
import { type Bus, BusError, type BusSubscription, type Clock, hostSubjects, type Log } from '@moorage/host';
import { connectNatsBus } from '../bus-nats/index.js';
import type { EnrolAnswer } from '../gateway/enrolment.js';
import { createHostKey } from '../identity/fleet-keys.js';
import { authenticatorOf, ENROL_SUBJECT, hostInbox } from '../identity/members.js';
import { readEnrolmentToken } from './enrolment-token.js';
import { startHeartbeat } from './heartbeat.js';
import { type Membership, membershipFile, readMembership, writeMembership } from './membership-file.js';

export interface JoinOptions {
  readonly servers: readonly string[];
  /** Where the host keeps who it is. */
  readonly dataDir: string;
  /** The token of an invitation. One that this host has used already is ignored, so that it may stay in a start script. */
  readonly enrol?: string | undefined;
  /** What the machine calls itself. */
  readonly name: string;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  readonly log: Log;
  /** The fleet has ended the membership, and the bus does not let the host in any more. */
  readonly onRevoked: () => void;
}

/** A host's place in its fleet. */
export interface Joined {
  readonly host: string;
  readonly bus: Bus;
  /** Tells the fleet that the host is there, from when it accepts clients. */
  announce(version: string, unshipped?: () => number): void;
  leave(): Promise<void>;
}

/** Milliseconds for a gateway to answer a machine that asks for membership. */
const ENROL_MS = 15_000;
/** Milliseconds for another host of the same name to say that it is there. */
const CLAIM_MS = 1_000;

/** Connects a host to its fleet, as a new member if it shows an invitation. */
export async function joinFleet(options: JoinOptions): Promise<Joined> {
  const { dataDir, clock } = options;
  const membership = (await enrolled(options)) ?? readMembership(dataDir);
  if (!membership)
    throw new Error('this host is not a member of a fleet: join one with --enrol TOKEN, from "moorage fleet enrol"');
  const { host } = membership;
  const bus = await connectAs(options, membership);
  let claim: BusSubscription;
  try {
    claim = await claimIdentity(bus, host, membershipFile(dataDir));
  } catch (error) {
    await bus.close();
    throw error;
  }
  let heartbeat: { stop(): void } | undefined;
  return {
    host,
    bus,
    announce: (version, unshipped) => {
      heartbeat ??= startHeartbeat({ bus, host, version, unshipped, clock });
    },
    leave: async () => {
      heartbeat?.stop();
      claim.end();
      await bus.close();
    },
  };
}

async function connectAs(options: JoinOptions, { host, seed, token }: Membership): Promise<Bus> {
  const { servers, log, onRevoked } = options;
  try {
    return await connectNatsBus({
      servers,
      name: host,
      authenticator: authenticatorOf({ token, seed }),
      inboxPrefix: hostInbox(host),
      log,
      onRefused: onRevoked,
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new Error(
      'the fleet does not let this host in: it was revoked, or the bus is of another fleet. Join again with --enrol TOKEN',
      { cause: error },
    );
  }
}

/** Two hosts with one identity would get each other's clients: a copy of a data folder is told so. */
async function claimIdentity(bus: Bus, host: string, file: string): Promise<BusSubscription> {
  const { claim } = hostSubjects(host);
  const isTaken = await bus.request(claim, new Uint8Array(), CLAIM_MS).then(
    () => true,
    (error: unknown) => {
      if (error instanceof BusError && error.kind !== 'down') return false; // nobody answers
      throw error;
    },
  );
  if (isTaken)
    throw new Error(
      `another host with this identity is in the fleet, so this data folder is a copy of its folder: remove ${file} here, and join as a new host with --enrol TOKEN`,
    );
  return bus.serve(claim, async () => new Uint8Array());
}

/** Becomes a member; undefined if no invitation is given, or if it is the one by which this host joined. */
async function enrolled(options: JoinOptions): Promise<Membership | undefined> {
  const { enrol, dataDir, name, servers, log } = options;
  if (enrol === undefined) return undefined;
  const invitation = readEnrolmentToken(enrol);
  if (!invitation) throw new Error('--enrol: this is no enrolment token; "moorage fleet enrol" prints one');
  if (readMembership(dataDir)?.invitation === invitation.id) return undefined;
  const { seed, publicKey } = createHostKey();
  const { credential, id, secret } = invitation;
  const authenticator = authenticatorOf(credential);
  const { inboxPrefix } = credential;
  const bus = await connectNatsBus({
    servers,
    name: 'new host',
    authenticator,
    inboxPrefix,
    log,
  }).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    throw new Error(
      'the enrolment token has expired or is of another fleet: get a new one with "moorage fleet enrol"',
      {
        cause: error,
      },
    );
  });
  try {
    const body = Buffer.from(JSON.stringify({ id, secret, name, publicKey }));
    const answer = JSON.parse(Buffer.from(await bus.request(ENROL_SUBJECT, body, ENROL_MS)).toString()) as EnrolAnswer;
    if ('refusal' in answer)
      throw new Error(`the fleet refuses this host: ${answer.refusal}. Get a new token with "moorage fleet enrol"`);
    const membership = { host: answer.host, seed, token: answer.token, invitation: id };
    writeMembership(dataDir, membership);
    return membership;
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    throw new Error(`no gateway of the fleet answers (${error.message}): start one, then try again`, { cause: error });
  } finally {
    await bus.close();
  }
}

function isRefusal(error: unknown): boolean {
  return /authorization violation|authentication|expired|revoked/i.test(String(error));
}
