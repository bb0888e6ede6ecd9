import type { URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { DocumentPut } from '../../ports/store.js';
import type { HostContext } from '../context.js';
import type { RootService } from '../root/root-service.js';
import { ABANDONED_MS, ABANDONED_SWEEP_MS, MAX_PROVISIONAL } from './limits.js';

/** When each provisional session was created, in milliseconds since the epoch. */
type Created = Readonly<Record<URI, number>>;

/**
 * Sessions that are in no list before their first turn. VS Code creates one whenever it shows an empty chat, and often
 * leaves it at that (V-43).
 */
export class ProvisionalSessions {
  readonly #context: HostContext;
  readonly #root: RootService;
  #timer: unknown;
  #parsed: { readonly json: string | undefined; readonly created: Created } = { json: undefined, created: {} };

  constructor(context: HostContext, root: RootService) {
    this.#context = context;
    this.#root = root;
  }

  /** Follows the start of a turn. Not an effect but a document, so that the turn and the entry in the list are stored together. */
  documentOf({ channel: { keeping } }: Committed<'chat'>): DocumentPut | undefined {
    const isFirst = keeping.kind === 'durable' && this.has(keeping.session);
    return isFirst ? this.#list(keeping.session) : undefined;
  }

  has(session: URI): boolean {
    return Object.hasOwn(this.#created, session);
  }

  /** Call in the tick that creates the session. Returns false if there are too many: then it is listed like any other. */
  add(session: URI): boolean {
    if (Object.keys(this.#created).length >= MAX_PROVISIONAL) return false;
    this.#context.door.documents.put(put({ ...this.#created, [session]: this.#context.clock.now() }));
    return true;
  }

  /** Call in the tick that disposes the session. */
  remove(session: URI): void {
    this.#context.door.documents.put(this.#without(session));
  }

  /** From now on disposes sessions that were abandoned before their first turn. */
  start(dispose: (session: URI) => void): void {
    const sweep = () => {
      for (const session of this.#abandoned()) dispose(session);
      this.#timer = this.#context.clock.setTimeout(sweep, ABANDONED_SWEEP_MS);
    };
    sweep();
  }

  stop(): void {
    this.#context.clock.clearTimeout(this.#timer);
  }

  #abandoned(): URI[] {
    const { door, clock } = this.#context;
    const before = clock.now() - ABANDONED_MS;
    const isWatched = (session: URI) => door.subscriptions.has(session);
    return Object.entries(this.#created).flatMap(([session, at]) =>
      at < before && !isWatched(session) ? [session] : [],
    );
  }

  #list(uri: URI): DocumentPut | undefined {
    const { door } = this.#context;
    const session: Channel<'session'> | undefined = door.channels.find('session', uri);
    if (!session) return undefined;
    door.announceSession(session);
    this.#root.sessionAdded();
    return this.#without(uri);
  }

  #without(session: URI): DocumentPut {
    const { [session]: _, ...others } = this.#created;
    return put(others);
  }

  get #created(): Created {
    const json = this.#context.door.documents.readOften(COLLECTION, KEY);
    if (json !== this.#parsed.json) {
      this.#parsed = { json, created: json === undefined ? {} : (JSON.parse(json) as Created) };
    }
    return this.#parsed.created;
  }
}

const COLLECTION = 'provisional';
const KEY = 'sessions';

function put(created: Created): DocumentPut {
  return { collection: COLLECTION, key: KEY, json: JSON.stringify(created) };
}
