import {
  annotationsUri,
  ROOT_URI,
  type SessionState,
  sessionOfAnnotationsUri,
  sessionUri,
  type URI,
} from '@moorage/protocol';
import { MAX_REMEMBERED_URIS } from '../limits.js';
import { isThisMachine, parseRemoteFile, remoteFileUri } from './remote-files.js';
import { parseSessionChatUri, sessionChatUri } from './session-chats.js';
import { mapUrisInText } from './uri-members.js';

/** What a spelling must know of the host. */
export interface SpellingDirectory {
  /** The URI under which the host knows what a client names in any spelling. */
  resolve(uri: URI): URI;
  /** The provider of a session, also of one that has ended. */
  listedProviderOf(session: URI): string | undefined;
  /** Whether there is a channel of exactly this URI. */
  has(uri: URI): boolean;
  /** A session that is in memory; others are not loaded to show their names. */
  loadedSession(uri: URI): SessionState | undefined;
  loadedSessionOfChat(chat: URI): URI | undefined;
}

/** Which names a client expects without having used them. */
export interface Expected {
  /** Sessions are named `<provider>:/<id>` (V-11, V-44). */
  readonly providers: boolean;
  /** Default chats and those of sub-agents are named by their session (V-12). */
  readonly sessionChats: boolean;
  /** What it calls this machine in the URIs of files, if not by `file:` (V-53). */
  readonly remoteAuthority?: string | undefined;
}

/**
 * The names of channels and files as one client knows them. It may name what it likes in any spelling that the host understands, and
 * finds the one that it used in everything that it is sent.
 */
export class Spelling {
  readonly #directory: SpellingDirectory;
  readonly #reachedAs: string | undefined;
  #expected: Expected = { providers: false, sessionChats: false };
  /** Names as they were used or first shown, by the host's own. A name that was once shown does not change. */
  readonly #names = new Map<URI, URI>();
  /** The catalogues whose chats have been named. */
  readonly #named = new WeakSet<SessionState['chats']>();

  /** `reachedAs` is the name of this machine that the client used to reach it. */
  constructor(directory: SpellingDirectory, reachedAs: string | undefined) {
    this.#directory = directory;
    this.#reachedAs = reachedAs;
  }

  get remoteAuthority(): string | undefined {
    return this.#expected.remoteAuthority;
  }

  expect({ remoteAuthority, ...names }: Expected): void {
    const isOurs = remoteAuthority !== undefined && isThisMachine(remoteAuthority, this.#reachedAs);
    this.#expected = { ...names, ...(isOurs && { remoteAuthority }) };
  }

  /** The host's own URI for one that the client used, which is remembered. The root has names enough that all clients know. */
  resolve(uri: URI): URI {
    const file = parseRemoteFile(uri);
    if (file) return this.#resolveFile(file, uri);
    const native = this.#directory.resolve(uri);
    if (native === ROOT_URI) return uri;
    const session = sessionOf(uri);
    if (session !== undefined && session !== uri) this.resolve(session);
    if (native !== uri) this.#remember(native, uri);
    else if (this.#names.get(native) !== uri && isNamed(uri)) this.#remember(native, uri);
    if (isProviderUri(uri) && this.#directory.listedProviderOf(native) === uri.slice(0, uri.indexOf(':'))) {
      this.#expected = { ...this.#expected, providers: true };
    }
    return native;
  }

  #resolveFile({ authority, uri }: { authority: string; uri: URI }, named: URI): URI {
    if (!isThisMachine(authority, this.#reachedAs)) return named;
    if (this.remoteAuthority !== authority) this.#expected = { ...this.#expected, remoteAuthority: authority };
    return uri;
  }

  /** A message as JSON text, with the client's names for what the host calls otherwise. */
  respelled(json: string): string {
    const named = mapUrisInText(json, 'ahp-', (uri) => this.#shown(uri));
    const authority = this.remoteAuthority;
    return authority === undefined ? named : mapUrisInText(named, 'file:', (uri) => remoteFileUri(authority, uri));
  }

  /** The client's name for what the host calls so. Also takes the template of a changeset. */
  #shown(uri: URI): URI {
    if (uri.startsWith('ahp-session:')) return this.#shownUnder(uri);
    if (this.#expected.sessionChats) this.#nameChats(this.#directory.loadedSessionOfChat(uri));
    const known = this.#names.get(uri);
    if (known !== undefined) return known;
    const [, id = '', rest] = /^ahp-changeset:\/([^/]+)(\/.*)$/.exec(uri) ?? [];
    if (rest === undefined) return uri;
    const session = sessionUri.format(decoded(id));
    const name = this.#shownSession(session);
    return name === session ? uri : name + rest;
  }

  /** A session, or its annotations. */
  #shownUnder(uri: URI): URI {
    const session = sessionOfAnnotationsUri(uri);
    if (session === undefined) return this.#shownSession(uri);
    const name = this.#shownSession(session);
    return name === session ? uri : annotationsUri(name);
  }

  #shownSession(session: URI): URI {
    const name = this.#names.get(session) ?? this.#providerName(session);
    if (this.#expected.sessionChats) this.#nameChats(session);
    return name;
  }

  #providerName(session: URI): URI {
    const id = this.#expected.providers ? sessionUri.parse(session) : undefined;
    const provider = id === undefined ? undefined : this.#directory.listedProviderOf(session);
    const name = provider === undefined ? session : `${provider}:/${id}`;
    if (name === session || this.#directory.has(name)) return session; // another session may have that very name
    this.#remember(session, name);
    return name;
  }

  /** Gives chats of a session that were not shown yet the names by which VS Code looks for them. */
  #nameChats(session: URI | undefined): void {
    const state = session === undefined ? undefined : this.#directory.loadedSession(session);
    if (session === undefined || !state || this.#named.has(state.chats)) return;
    this.#named.add(state.chats);
    const name = this.#names.get(session) ?? this.#providerName(session);
    for (const { resource, origin } of state.chats) {
      if (this.#names.has(resource) || parseSessionChatUri(resource)) continue;
      const call = origin?.kind === 'tool' ? origin.toolCallId : undefined;
      if (call !== undefined) {
        this.#remember(resource, sessionChatUri({ name: 'subagent', session: name, toolCallId: call }));
      } else if (resource === state.defaultChat) {
        this.#remember(resource, sessionChatUri({ name: 'default', session: name }));
      } else this.#remember(resource, resource);
    }
  }

  #remember(native: URI, name: URI): void {
    this.#names.delete(native);
    this.#names.set(native, name);
    const [oldest] = this.#names.keys();
    if (this.#names.size > MAX_REMEMBERED_URIS && oldest !== undefined) this.#names.delete(oldest);
  }
}

/** The session whose URI a URI begins with. */
function sessionOf(uri: URI): URI | undefined {
  const chat = parseSessionChatUri(uri);
  if (chat) return chat.session;
  return /^([^/?#\s]+:\/[^/?#\s]+)\/(?:annotations|changeset\/)/.exec(uri)?.[1];
}

/** Whether a client could name the same otherwise. */
function isNamed(uri: URI): boolean {
  return uri.startsWith('ahp-session:') || uri.startsWith('ahp-chat:');
}

function isProviderUri(uri: URI): boolean {
  return /^(?!ahp-)[a-z][a-z0-9+.-]*:\/[^/?#\s]+$/i.test(uri);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
