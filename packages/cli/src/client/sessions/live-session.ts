import type { Client, Mirror } from '@moorage/client';
import { CommandError } from '../errors.js';
import { withProgress } from '../output/progress.js';
import { findSession, shortId } from './find.js';
import { when } from './when.js';

/** A session with all its chats, because sub-agents ask for approvals in chats of their own. */
export class LiveSession {
  readonly client: Client;
  readonly session: Mirror<'session'>;
  /** The chat that the user talks to. */
  readonly main: Mirror<'chat'>;
  readonly #chats = new Map<string, Mirror<'chat'>>();
  readonly #opening = new Set<string>();
  readonly #listeners = new Set<() => void>();

  /** See `findSession`. */
  static async find(client: Client, wanted: string | undefined): Promise<LiveSession> {
    return LiveSession.open(client, (await findSession(client, wanted)).resource);
  }

  static async open(client: Client, uri: string): Promise<LiveSession> {
    const session = await withProgress('opening the session', client.session(uri));
    const chat = await when(session, ({ defaultChat, lifecycle, creationError }) => {
      if (lifecycle !== 'failed') return defaultChat;
      throw new CommandError(`the session could not be created: ${creationError?.message ?? 'no reason given'}`);
    });
    return new LiveSession(client, session, await withProgress('opening the chat', client.chat(chat)));
  }

  private constructor(client: Client, session: Mirror<'session'>, main: Mirror<'chat'>) {
    this.client = client;
    this.session = session;
    this.main = main;
    this.#follow(main);
    session.subscribe(() => {
      this.#openNewChats();
      this.#changed();
    });
    this.#openNewChats();
  }

  /** What names the session to the user. */
  get shortId(): string {
    return shortId({ resource: this.session.uri });
  }

  get chats(): readonly Mirror<'chat'>[] {
    return [...this.#chats.values()];
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** All chats that the session has now, once they are open. */
  async allChats(): Promise<readonly Mirror<'chat'>[]> {
    while (this.#opening.size > 0) await new Promise<void>((resolve) => this.#once(resolve));
    return this.chats;
  }

  #once(listener: () => void): void {
    const stop = this.onChange(() => {
      stop();
      listener();
    });
  }

  #openNewChats(): void {
    for (const { resource } of this.session.confirmed.chats) {
      if (this.#chats.has(resource) || this.#opening.has(resource)) continue;
      this.#opening.add(resource);
      this.client
        .chat(resource)
        .then((chat) => this.#follow(chat))
        .catch(() => {}) // it is gone already
        .finally(() => {
          this.#opening.delete(resource);
          this.#changed();
        });
    }
  }

  #follow(chat: Mirror<'chat'>): void {
    this.#chats.set(chat.uri, chat);
    chat.subscribe(() => this.#changed());
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
