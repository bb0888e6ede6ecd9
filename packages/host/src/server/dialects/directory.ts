import { type ChatState, parseSessionUri, ROOT_URI, type SessionState, sessionUri, type URI } from '@moorage/protocol';
import type { Directory, SessionRef } from '@moorage/protocol/versions';
import type { Door } from '../../core/door.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store.js';

/** The part of the host that translators of other protocol versions may look at. */
export class HostDirectory implements Directory {
  readonly #door: Door;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly defaultDirectory: URI | undefined;

  constructor(door: Door, store: Store, clock: Clock, defaultDirectory: URI | undefined) {
    this.defaultDirectory = defaultDirectory;
    this.#door = door;
    this.#store = store;
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  /** The URI under which the host knows what a client of any version names. */
  resolve(uri: URI): URI {
    if (ROOT_ALIASES.has(uri)) return ROOT_URI;
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
