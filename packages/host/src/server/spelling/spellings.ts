import { isObject, type RpcParams, type URI } from '@moorage/protocol';
import type { Connection } from '../connection.js';
import { type Expected, Spelling, type SpellingDirectory } from './spelling.js';
import { mapUris } from './uri-members.js';

/** Gives a connection a spelling of its own when it turns out to need one. Clients that name everything as the host does have none. */
export class Spellings {
  readonly #directory: SpellingDirectory;

  constructor(directory: SpellingDirectory) {
    this.#directory = directory;
  }

  /** Called when a client has been identified, before anything is sent to it. */
  identified(connection: Connection): void {
    const expected = expectedBy(connection);
    if (!speaksOfChannels(connection))
      connection.spelling = undefined; // its dialect has names of its own
    else if (connection.spelling && expected) connection.spelling.expect(expected);
    else if (expected) connection.spelling = new Spelling(this.#directory, expected);
  }

  /** The parameters of a message with the host's own URIs in it. */
  incoming(connection: Connection, params: RpcParams | undefined): RpcParams | undefined {
    if (!isObject(params) || !speaksOfChannels(connection) || isOfServer(params)) return params;
    if (!connection.spelling) {
      if (!urisIn(params).some(isOtherwiseNamed)) return params;
      if (!connection.profile && isOfFirstVersion(params)) return params;
      connection.spelling = new Spelling(this.#directory);
    }
    const { spelling } = connection;
    return mapUris(params, (uri) => spelling.resolve(uri));
  }
}

/** VS Code names sessions by their provider unless it has said that it understands URIs of ours (V-9, V-44). */
function expectedBy({ isVscode, profile }: Connection): Expected | undefined {
  return isVscode ? { providers: !profile?.takesSessionUris, sessionChats: true } : undefined;
}

/** Where a client that has named everything as the host does would first name something otherwise. */
function urisIn({ channel, subscriptions, initialSubscriptions }: Readonly<Record<string, unknown>>): URI[] {
  return [channel, subscriptions, initialSubscriptions].flat().filter((uri) => typeof uri === 'string');
}

function isOtherwiseNamed(uri: URI): boolean {
  return /^ahp-(chat:\/\/|session:.*\/changeset\/)/.test(uri) || /^(?!ahp-|file:)[^/?#\s]+:\/[^/?#\s]/i.test(uri);
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
