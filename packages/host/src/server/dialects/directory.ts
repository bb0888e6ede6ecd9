import {
  annotationsUri,
  type ChatState,
  changesetUri,
  chatUri,
  parseChangesetUri,
  parseSessionUri,
  ROOT_URI,
  type SessionState,
  type SessionSummary,
  sessionOfAnnotationsUri,
  sessionUri,
  terminalUri,
  type URI,
} from '@moorage/protocol';
import type { Directory, SessionRef } from '@moorage/protocol/versions';
import { isKind } from '../../core/channel.js';
import type { Door } from '../../core/door.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store.js';
import { parseSessionChatUri } from '../spelling/session-chats.js';
import type { SpellingDirectory } from '../spelling/spelling.js';

/** The part of the host that translators of other protocol versions may look at. */
export class HostDirectory implements Directory, SpellingDirectory {
  readonly #door: Door;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly defaultDirectory: URI | undefined;
  /** The providers of sessions that are not in memory; read when they are first asked for, and never changing. */
  #listed: ReadonlyMap<URI, string> | undefined;

  constructor(door: Door, store: Store, clock: Clock, defaultDirectory: URI | undefined) {
    this.defaultDirectory = defaultDirectory;
    this.#door = door;
    this.#store = store;
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  /** The URI under which the host knows what a client of any version names (V-11, V-12, V-16, V-51). */
  resolve(uri: URI): URI {
    if (ROOT_ALIASES.has(uri)) return ROOT_URI;
    if (this.#door.channels.peek(uri)) return uri; // by far the most are named as the host names them
    const annotated = sessionOfAnnotationsUri(uri);
    if (annotated !== undefined) return annotationsUri(this.#resolveSession(annotated));
    const changes = parseChangesetUri(uri);
    if (changes) return changesetUri(this.#resolveSession(changes.session), changes.selector);
    const terminal = /^agenthost-terminal:\/([^/?#\s]+)$/.exec(uri)?.[1];
    if (terminal !== undefined) return terminalUri.format(terminal);
    return uri.startsWith('ahp-chat://') ? this.#resolveChat(uri) : this.#resolveSession(uri);
  }

  #resolveChat(uri: URI): URI {
    const named = parseSessionChatUri(uri);
    if (!named || this.#door.channels.has(uri)) return uri;
    const state = this.session(this.#resolveSession(named.session));
    if (named.name === 'default') return state?.defaultChat ?? uri;
    const isMeant = ({ resource, origin }: SessionState['chats'][number]) =>
      named.name === 'subagent'
        ? origin?.kind === 'tool' && origin.toolCallId === named.toolCallId
        : resource === chatUri.format(named.name);
    return state?.chats.find(isMeant)?.resource ?? uri;
  }

  #resolveSession(uri: URI): URI {
    const { scheme, id } = parseSessionUri(uri) ?? {};
    if (scheme === undefined || id === undefined || scheme.startsWith('ahp-')) return uri;
    if (this.#door.channels.has(uri)) return uri;
    const native = sessionUri.format(id); // older versions use the provider as the scheme
    return this.session(native)?.provider === scheme ? native : uri;
  }

  providerOf(session: URI): string | undefined {
    const known = this.session(session)?.provider;
    if (known !== undefined) return known;
    return this.#store.sessions.listDisposed().find(({ summary }) => summary.resource === session)?.summary.provider;
  }

  /** The same, without loading a session that is listed. */
  listedProviderOf(session: URI): string | undefined {
    const loaded = this.loadedSession(session)?.provider;
    if (loaded !== undefined) return loaded;
    this.#listed ??= new Map(
      this.#store.sessions.list().map((json) => {
        const { resource, provider } = JSON.parse(json) as SessionSummary;
        return [resource, provider];
      }),
    );
    const listed = this.#listed.get(session);
    if (listed !== undefined) return listed;
    return this.#store.channels.exists(session) ? this.providerOf(session) : undefined;
  }

  has(uri: URI): boolean {
    return this.#door.channels.has(uri);
  }

  loadedSession(uri: URI): SessionState | undefined {
    const channel = this.#door.channels.peek(uri);
    return isKind(channel, 'session') ? channel.state : undefined;
  }

  loadedSessionOfChat(chat: URI): URI | undefined {
    const channel = this.#door.channels.peek(chat);
    return isKind(channel, 'chat') && channel.keeping.kind === 'durable' ? channel.keeping.session : undefined;
  }

  session(uri: URI): SessionState | undefined {
    return this.#door.channels.find('session', uri)?.state;
  }

  chat(uri: URI): ChatState | undefined {
    return this.#door.channels.find('chat', uri)?.state;
  }

  sessionOfChat(chat: URI): SessionRef | undefined {
    const channel = this.#door.channels.find('chat', chat);
    const session = channel && this.#door.channels.sessionOf(channel);
    return session && { uri: session.uri, state: session.state };
  }
}

/** URIs of the root channel in earlier versions and in their examples. */
const ROOT_ALIASES: ReadonlySet<URI> = new Set([ROOT_URI, 'ahp-root:', 'agenthost:/root', 'root:/']);
