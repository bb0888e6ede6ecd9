import { isObject, type RpcParams, type URI } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import type { Connection } from '../connection.js';
import type { KnownClients } from '../known-clients.js';
import { parseRemoteFile } from './remote-files.js';
import { type Expected, Spelling, type SpellingDirectory } from './spelling.js';
import { mapUris } from './uri-members.js';

/** Gives a connection a spelling of its own when it turns out to need one. Clients that name everything as the host does have none. */
export class Spellings {
  readonly #directory: SpellingDirectory;
  readonly #clients: KnownClients;

  constructor(directory: SpellingDirectory, clients: KnownClients) {
    this.#directory = directory;
    this.#clients = clients;
  }

  /** Called when a client has been identified, before anything is sent to it. */
  identified(connection: Connection): void {
    const expected = expectedBy(connection);
    if (!speaksOfChannels(connection))
      connection.spelling = undefined; // its dialect has names of its own
    else if (expected) {
      connection.spelling ??= new Spelling(this.#directory, connection.reachedAs);
      connection.spelling.expect(expected);
    }
  }

  /** The parameters of a request with the host's own URIs in it. Throws if it is about a folder of another machine. */
  inRequest(connection: Connection, params: RpcParams | undefined): RpcParams | undefined {
    const native = this.inMessage(connection, params);
    if (isObject(native)) assertThisMachine(native, connection.reachedAs);
    return native;
  }

  /** The same for any message. */
  inMessage(connection: Connection, params: RpcParams | undefined): RpcParams | undefined {
    if (!isObject(params) || !speaksOfChannels(connection) || isOfServer(params)) return params;
    if (!connection.spelling) {
      if (!urisIn(params).some(isOtherwiseNamed)) return params;
      if (!connection.profile && isOfFirstVersion(params)) return params;
      connection.spelling = new Spelling(this.#directory, connection.reachedAs);
    }
    const { spelling } = connection;
    const native = mapUris(params, (uri) => spelling.resolve(uri));
    this.#keepAuthority(connection, spelling);
    return native;
  }

  /** For the next connection of the client, which is sent a replay before it names a file. */
  #keepAuthority(connection: Connection, { remoteAuthority }: Spelling): void {
    const { profile, dialect } = connection;
    if (!profile || remoteAuthority === undefined || remoteAuthority === profile.remoteAuthority) return;
    const known = { ...profile, remoteAuthority };
    this.#clients.keep(connection, known);
    connection.identify(known, dialect);
  }
}

/** VS Code names sessions by their provider unless it has said that it understands URIs of ours (V-9, V-44). */
function expectedBy({ isVscode, profile }: Connection): Expected | undefined {
  if (!isVscode || !profile) return undefined;
  const { takesSessionUris = false, remoteAuthority } = profile;
  return { providers: !takesSessionUris, sessionChats: true, remoteAuthority };
}

/** Where a client that has named everything as the host does would first name something otherwise. */
function urisIn({ channel, subscriptions, initialSubscriptions }: Readonly<Record<string, unknown>>): URI[] {
  return [channel, subscriptions, initialSubscriptions].flat().filter((uri) => typeof uri === 'string');
}

function isOtherwiseNamed(uri: URI): boolean {
  return /^ahp-(chat:\/\/|session:.*\/changeset\/)/.test(uri) || /^(?!ahp-|file:)[^/?#\s]+:\/[^/?#\s]/i.test(uri);
}

/** Other URIs of such machines may be what a client publishes. */
function assertThisMachine(params: Readonly<Record<string, unknown>>, reachedAs = 'an unknown name'): void {
  for (const name of ['cwd', 'workingDirectory', 'workingDirectories']) {
    for (const uri of [params[name]].flat()) {
      const { authority } = (typeof uri === 'string' ? parseRemoteFile(uri) : undefined) ?? {};
      if (authority === undefined) continue;
      throw invalidParams(
        `params/${name}: ${authority} is not the machine of this host, which was reached as ${reachedAs}; use a "file:" URI`,
      );
    }
  }
}

/** What is said to MCP servers is not about channels of ours. */
function isOfServer({ channel }: Readonly<Record<string, unknown>>): boolean {
  return typeof channel === 'string' && channel.startsWith('mcp:');
}

function isOfFirstVersion({ channel, subscriptions }: Readonly<Record<string, unknown>>): boolean {
  const isOfChannels = (uri: unknown) => typeof uri === 'string' && uri.startsWith('ahp-');
  return channel === undefined && !(Array.isArray(subscriptions) && subscriptions.some(isOfChannels));
}

/** The first version names sessions by their provider itself. */
function speaksOfChannels({ dialect }: Connection): boolean {
  return dialect.name !== 'v1' && dialect.name !== '0.1';
}
