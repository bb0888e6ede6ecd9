import {
  AhpErrorCodes,
  annotationsUri,
  type ChatState,
  ExtensionMeta,
  RpcError,
  type SessionState,
  type URI,
} from '@moorage/protocol';
import type { BroughtChannel, Channel } from '../../core/channel.js';
import { sessionNotFound } from '../../core/errors.js';
import { type DocumentCollection, STAYS_HERE, type StoredDocument } from '../../ports/store.js';
import type { HostContext } from '../context.js';
import type { RootService } from '../root/root-service.js';
import type { SessionService } from './session-service.js';

/** A session that another host had, as it had it. */
export interface MovedSession {
  /** The session, which keeps its URI. */
  readonly session: URI;
  /** The session itself, its chats and comments. */
  readonly channels: readonly BroughtChannel[];
  /** Its documents; those that are only about the other host are left out. */
  readonly documents: readonly StoredDocument[];
  /** The folders on this host that have its files, the first one first. */
  readonly folders: readonly MovedFolder[];
}

export interface MovedFolder {
  /** A `file:` URI. */
  readonly uri: URI;
  /** The id of its workspace here. */
  readonly id: string;
  /** The one that it had on the other host; absent for the session's first folder. */
  readonly was?: string | undefined;
}

/** Sessions that come from another host of a fleet, or have gone to one. */
export class MovedSessions {
  readonly #context: HostContext;
  readonly #root: RootService;
  readonly #sessions: SessionService;
  #onBrought: (channels: readonly Channel[]) => void = () => {};

  constructor(context: HostContext, root: RootService, sessions: SessionService) {
    this.#context = context;
    this.#root = root;
    this.#sessions = sessions;
  }

  /** Called once a session is here and stored, with its channels as they were; what was under way in them has to be settled. */
  connect(onBrought: (channels: readonly Channel[]) => void): void {
    this.#onBrought = onBrought;
  }

  has(session: URI): boolean {
    return this.#context.door.channels.has(session);
  }

  /** Goes on with a session here, in one tick. Rejects, and changes nothing, if that cannot be stored. */
  async bring({ session, channels, documents, folders }: MovedSession): Promise<void> {
    if (this.has(session)) throw new RpcError(AhpErrorCodes.SessionAlreadyExists, `session ${session} is here already`);
    const moved = channels.map((channel) => ({ ...channel, state: stateHere(channel, folders) }));
    const known = documents.flatMap((document) => {
      const key = MOVES.has(document.collection) ? keyHere(document.key, folders) : undefined;
      return key === undefined ? [] : { ...document, key };
    });
    this.#open(session, moved, known);
    await this.#context.door.stored();
  }

  /**
   * Gives up a session that belongs to another host now: it is disposed of here. If `title` is given, all of it is kept as a
   * session of its own, under that title: what this host did meanwhile is nowhere else. Does nothing if it is not here.
   */
  async giveUp(session: URI, title: string | undefined): Promise<void> {
    const { door, ids, store } = this.#context;
    const channel = door.channels.find('session', session);
    if (!channel) return;
    if (title !== undefined) {
      const parts = [session, ...channel.state.chats.map(({ resource }) => resource), annotationsUri(session)];
      const channels = parts.flatMap((uri) => door.channels.load(uri) ?? []);
      const documents = store.documents.entriesOf(session).filter(({ collection }) => !STAYS.has(collection));
      const contents = documents.flatMap(({ collection, key }) => (collection === 'content' ? key : []));
      const renamed = renaming([session, ...channel.state.chats.map(({ resource }) => resource)], contents, ids.next);
      const copy = renamed(session);
      const copied = channels.map(({ uri, kind, state }) => {
        const own = JSON.parse(renamed(JSON.stringify(state))) as Channel['state'];
        return { uri: renamed(uri), kind, state: kind === 'session' ? { ...own, title } : own } as BroughtChannel;
      });
      const texts = documents.map(({ collection, key, json }) => ({
        collection,
        key: renamed(key),
        json: renamed(json),
      }));
      this.#sessions.release(session);
      this.#open(copy, copied, texts);
    } else this.#sessions.release(session);
    await door.stored();
  }

  #open(uri: URI, brought: readonly BroughtChannel[], documents: readonly StoredDocument[]): void {
    const { door } = this.#context;
    const channels = door.bring(uri, brought);
    const session = door.channels.find('session', uri);
    if (!session) throw sessionNotFound(uri);
    for (const document of documents) door.documents.put({ ...document, session: uri });
    door.announceSession(session);
    this.#root.sessionAdded();
    door.afterwards(() => this.#onBrought(channels));
  }
}

/** What a session has on any host. Agents' own memories stay where they are: elsewhere they get the history instead. */
const MOVES: ReadonlySet<DocumentCollection> = new Set(['content', 'changes', 'userTitle', 'annotationPlace']);

/** What is about the session as it was here. */
const STAYS: ReadonlySet<DocumentCollection> = new Set(['removedChats', 'provisional', 'worktree', 'queueDue']);

/** Records of further folders are kept by their workspaces. Undefined for those of a folder that is not here. */
function keyHere(key: string, folders: readonly MovedFolder[]): string | undefined {
  const [word, was, ...rest] = key.split(' ');
  if (word !== 'folder') return key;
  const folder = folders.find((one) => one.was === was);
  return folder && ['folder', folder.id, ...rest].join(' ');
}

/** In place of the folders of the other host. */
function stateHere({ kind, state }: BroughtChannel, folders: readonly MovedFolder[]): Channel['state'] {
  if (kind === 'chat') {
    const { workingDirectories: _, ...chat } = state as ChatState;
    return chat;
  }
  if (kind !== 'session') return state;
  const { workingDirectories: _, project: __, changesets: ___, _meta, ...session } = state as SessionState;
  const { [ExtensionMeta.worktree]: ____, ...meta } = _meta ?? {};
  return {
    ...session,
    ...(folders.length > 0 && { workingDirectories: folders.map(({ uri }) => uri) }),
    activeClients: [],
    _meta: meta,
  };
}

/** Gives the texts of a session in which it, its chats and contents have other ids. */
function renaming(uris: readonly URI[], contents: readonly string[], next: () => string): (text: string) => string {
  const known = [...uris.map((uri) => uri.slice(uri.lastIndexOf('/') + 1)), ...contents].filter((id) => id !== '');
  const ids = new Map(known.map((id) => [id, id.startsWith(STAYS_HERE) ? `${STAYS_HERE}${next()}` : next()]));
  const longestFirst = [...ids.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(longestFirst.join('|'), 'g');
  return (text) => text.replace(pattern, (id) => ids.get(id) ?? id);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
