import type { AgentChatHost } from '@ahpd/host/ports';
import { strict, type URI } from '@ahpd/protocol';
import Type from 'typebox';
import type { AutoMode } from './interpreter/ports.js';
import { type Progress, ProgressSchema } from './interpreter/progress.js';

/** Sessions without an open chat whose setting is still known, should another chat of theirs open. */
const MAX_REMEMBERED_SESSIONS = 10_000;

/** What chats of the demo agent keep durably. The setting is the session's: the newest that any of its chats saved counts. */
export class DemoMemory {
  readonly #sessions = new Map<URI, SessionMemory>();

  openChat(session: URI, host: AgentChatHost, saved: unknown): ChatMemory {
    const known = this.#sessions.get(session) ?? { mode: 'off', revision: 0, chats: new Set() };
    this.#sessions.set(session, known);
    return new ChatMemory(known, host, saved, () => this.#forgetOldest());
  }

  #forgetOldest(): void {
    for (const [session, { chats }] of this.#sessions) {
      if (this.#sessions.size <= MAX_REMEMBERED_SESSIONS) return;
      if (chats.size === 0) this.#sessions.delete(session);
    }
  }
}

interface SessionMemory {
  mode: AutoMode;
  /** Counts the changes, so that of two saved states the newer is known. */
  revision: number;
  readonly chats: Set<ChatMemory>;
}

export class ChatMemory {
  readonly #session: SessionMemory;
  readonly #host: AgentChatHost;
  readonly #onClose: () => void;
  #progress: Progress | undefined;

  constructor(session: SessionMemory, host: AgentChatHost, saved: unknown, onClose: () => void) {
    this.#session = session;
    this.#host = host;
    this.#onClose = onClose;
    session.chats.add(this);
    // Written by another version, or by nobody: then there is nothing to take up.
    if (!savedState.check(saved)) return;
    this.#progress = saved.progress;
    if (saved.auto.revision > session.revision) Object.assign(session, saved.auto);
  }

  get autoMode(): AutoMode {
    return this.#session.mode;
  }

  set autoMode(mode: AutoMode) {
    if (mode === this.#session.mode) return;
    this.#session.mode = mode;
    this.#session.revision++;
    for (const chat of this.#session.chats) chat.#save();
  }

  /** How far a turn had come when it began to wait for the user. */
  progressOf(turnId: string): Progress | undefined {
    return this.#progress?.turnId === turnId ? this.#progress : undefined;
  }

  saveProgress(progress: Progress): void {
    this.#progress = progress;
    this.#save();
  }

  close(): void {
    this.#session.chats.delete(this);
    this.#onClose();
  }

  #save(): void {
    const { mode, revision } = this.#session;
    this.#host.saveResumeState({ auto: { mode, revision }, ...(this.#progress && { progress: this.#progress }) });
  }
}

const savedState = strict(
  Type.Object({
    auto: Type.Object({ mode: Type.Enum(['off', 'edits', 'all']), revision: Type.Integer({ minimum: 0 }) }),
    progress: Type.Optional(ProgressSchema),
  }),
);
