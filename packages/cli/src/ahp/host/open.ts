import { type Client, ConnectError, connect, openUrl, RequestError, RpcError, type Transport } from '@ahpd/client';
import { giveTokens } from '../auth/give.js';
import type { CommonOptions } from '../command.js';
import { CommandError } from '../errors.js';
import { note } from '../output/out.js';
import { plain } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { findHost, type HostTarget } from './find.js';

/** A host that restarts is back within seconds; asking every two is soon enough and costs nothing. */
const RECONNECT = { minDelayMs: 100, maxDelayMs: 2_000 };

/** Connects to the host that is meant, does the work, and leaves. */
export async function withHost<T>(
  options: CommonOptions,
  work: (client: Client) => Promise<T>,
  more: Opening = {},
): Promise<T> {
  return withClient(await openHost(findHost(options), more), work);
}

/** Does the work and leaves; what the host refuses becomes a sentence for the user. */
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
  /** False: end with the connection. */
  readonly reconnect?: false;
  /** Sees every connection before it is used. */
  readonly tap?: (transport: Transport) => Transport;
}

/** A connection with the tokens that the user added for this host. */
export async function openHost(target: HostTarget, more: Opening = {}): Promise<Client> {
  const client = await connectTo(target, more);
  await giveTokens(client, target.name);
  client.onStatus((status) => {
    if (status === 'live') giveTokens(client, target.name).catch(tellError); // the last connection took them with it
  });
  return client;
}

/** Connects, and says so when the connection is lost and when it is back. */
export async function connectTo(target: HostTarget, { clientId, reconnect, tap }: Opening = {}): Promise<Client> {
  const transport = async () => {
    const { url, token } = whereNow(target);
    const opened = await openUrl(url, token);
    return tap ? tap(opened) : opened;
  };
  const connecting = connect({ transport, clientId, reconnect: reconnect ?? RECONNECT, onError: tellError });
  const client = await withProgress(`connecting to ${target.url}`, connecting).catch((error: unknown) => {
    throw explainedConnection(error, target);
  });
  client.onStatus((status, error) => {
    if (status === 'reconnecting') note('ahp: the connection was lost; reconnecting ...');
    else if (status === 'live') note('ahp: connected again');
    else if (error) note(`ahp: the connection is closed: ${plain(error.message)}`);
  });
  return client;
}

/** What is said when a connection ended for good; where things stand is with the host. */
export function lost(comeBack: string): string {
  return `the connection was lost; come back with: ahp ${comeBack}`;
}

function whereNow(target: HostTarget): HostTarget {
  try {
    return target.again?.() ?? target;
  } catch {
    return target; // it is down; it may come back where it was
  }
}

function tellError(error: unknown): void {
  note(`ahp: ${plain(error instanceof Error ? error.message : String(error))}`);
}

function explainedConnection(error: unknown, { name, url }: HostTarget): unknown {
  if (!(error instanceof ConnectError)) return error;
  if (error.status === 401 || error.status === 403) {
    return new CommandError(
      `the host at ${url} refused the token\nGive the right one with --token-file FILE or AHP_TOKEN`,
    );
  }
  const advice = name === 'local' ? 'Look at: ahp host status' : 'Check the URL and that the host runs';
  return new CommandError(`cannot talk to the host at ${url}: ${error.message}\n${advice}`);
}

function explained(error: unknown): unknown {
  if (error instanceof RpcError) return new CommandError(`the host refused: ${error.message}`);
  if (error instanceof RequestError) return new CommandError(`the host did not answer: ${error.message}`);
  return error;
}
