import {
  type Client,
  ConnectError,
  connect,
  openUrl,
  RejectedError,
  RequestError,
  RpcError,
  type Transport,
} from '@moorage/client';
import { UsageError } from '../../usage-error.js';
import { VERSION } from '../../version.js';
import { giveTokens } from '../auth/give.js';
import type { CommonOptions } from '../command.js';
import { CommandError } from '../errors.js';
import { hostsOf, memberNamed } from '../fleet/hosts.js';
import { note } from '../output/out.js';
import { plain } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { isGateway, ServedElsewhere } from './elsewhere.js';
import { findHost, type HostTarget } from './find.js';

const clientInfo = { name: 'moorage-cli', version: VERSION };

/** A host that restarts is back within seconds, so trying every other second is soon enough. */
const RECONNECT = { minDelayMs: 100, maxDelayMs: 2_000 };

/**
 * Connects to the host that the options name, does the work, and disconnects. The work is told the name of the host if it is
 * one of a fleet.
 */
export async function withHost<T>(
  options: CommonOptions,
  work: (client: Client, machine: string | undefined) => Promise<T>,
  more: Opening = {},
): Promise<T> {
  const target = await resolved(findHost(options));
  try {
    return await withClient(await openHost(target, more), (client) => work(client, target.machine));
  } catch (error) {
    if (!(error instanceof ServedElsewhere)) throw error;
    const { address, machine } = error;
    return withClient(await openHost(at(target, address, machine), more), (client) => work(client, machine));
  }
}

/** Another address of the same gateway. */
function at({ name, url, token }: HostTarget, address: string, machine: string): HostTarget {
  return { name, url: new URL(`.${address}`, url).href, token, machine };
}

/** Does the work and disconnects. */
export async function withClient<T>(client: Client, work: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await work(client);
  } catch (error) {
    throw explained(error);
  } finally {
    client.close();
  }
}

interface Opening {
  readonly clientId?: string;
  /** False: give up when the connection is lost. */
  readonly reconnect?: false;
  /** Wraps every connection before it is used. */
  readonly tap?: (transport: Transport) => Transport;
}

/** Connects, and gives the host the tokens that the user added for it. */
export async function openHost(target: HostTarget, more: Opening = {}): Promise<Client> {
  const client = await connectTo(target, more);
  if (await isGateway(client)) return client; // it has no agents of its own
  await giveTokens(client, target.name);
  client.onStatus((status) => {
    if (status === 'live') giveTokens(client, target.name).catch(noteError); // a host forgets them with the connection
  });
  return client;
}

/** Connects, and tells the user when the connection is lost and when it is back. */
export async function connectTo(wanted: HostTarget, { clientId, reconnect, tap }: Opening = {}): Promise<Client> {
  const target = await resolved(wanted);
  const transport = async () => {
    const { url, token } = whereNow(target);
    const opened = await openUrl(url, token);
    return tap ? tap(opened) : opened;
  };
  const connecting = connect({
    transport,
    clientId,
    clientInfo,
    reconnect: reconnect ?? RECONNECT,
    onError: noteError,
  });
  const client = await withProgress(`connecting to ${target.url}`, connecting).catch((error: unknown) => {
    throw explainedConnection(error, target);
  });
  client.onStatus((status, error) => {
    // On a terminal the cursor may be in the middle of an answer or a question.
    const newLine = process.stderr.isTTY ? '\n' : '';
    if (status === 'reconnecting') note(`${newLine}moorage: the connection was lost; reconnecting ...`);
    else if (status === 'live') note('moorage: connected again');
    else if (error) note(`moorage: the connection is closed: ${plain(error.message)}`);
  });
  return client;
}

/** With the address of the member of a fleet that it names, if it does. */
async function resolved(target: HostTarget): Promise<HostTarget> {
  return target.member === undefined ? target : addressOfMember(target, target.member);
}

async function addressOfMember({ name, url, token }: HostTarget, member: string): Promise<HostTarget> {
  const gateway = await connectTo({ name, url, token }, { reconnect: false });
  return withClient(gateway, async (client) => {
    if (!(await isGateway(client)))
      throw new UsageError(`${name} is a single host, not the gateway of a fleet: name it with --host ${name}`);
    const found = memberNamed(await hostsOf(client), member);
    return at({ name, url, token }, `/hosts/${found.id}/`, found.name);
  });
}

/** What to say when a connection was lost for good, while the session goes on. */
export function lost(comeBack: string): string {
  return `the connection was lost; come back with: moorage ${comeBack}`;
}

function whereNow(target: HostTarget): HostTarget {
  try {
    return target.again?.() ?? target;
  } catch {
    return target; // it is down, and may come back where it was
  }
}

/** For what fails while a command goes on. */
export function noteError(error: unknown): void {
  const cause = explained(error);
  note(`moorage: ${plain(cause instanceof Error ? cause.message : String(cause))}`);
}

function explainedConnection(error: unknown, { name, url, token }: HostTarget): unknown {
  if (!(error instanceof ConnectError)) return error;
  if (error.status === 401 || error.status === 403) {
    const problem = token === undefined ? 'wants a token' : 'refused the token';
    return new CommandError(
      `the host at ${url} ${problem}\nGive the right one with --token-file FILE or MOORAGE_TOKEN`,
    );
  }
  const advice = name === 'local' ? 'Look at: moorage host status' : 'Check the URL and that the host runs';
  return new CommandError(`cannot talk to the host at ${url}: ${error.message}\n${advice}`);
}

/** An error of the client library in words for the user. */
function explained(error: unknown): unknown {
  if (error instanceof RejectedError) return new CommandError(`the host refused: ${error.reason}`);
  if (error instanceof RpcError) return new CommandError(`the host refused: ${error.message}`);
  if (error instanceof RequestError) return new CommandError(`the host did not answer: ${error.message}`);
  return error;
}
