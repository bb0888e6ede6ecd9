import type { AgentChatHost, AgentChatOptions } from '@moorage/host/ports';
import { strict, type URI } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import { type AutoMode, AutoModeSchema } from './interpreter/ports.js';
import { type Progress, ProgressSchema } from './interpreter/progress.js';

/** What the demo agent keeps durably: `/auto` with the session, the progress of a waiting turn with its chat. */
export class DemoMemory {
  readonly #sessions = new Map<URI, SessionMemory>();

  openChat({ session, sessionState, resumeState, host }: AgentChatOptions): ChatMemory {
    // Chats that are open at the same time share one object, so a change in one of them counts at once in the others.
    const shared = this.#sessions.get(session) ?? { mode: savedMode(sessionState), chats: new Set() };
    this.#sessions.set(session, shared);
    return new ChatMemory(shared, host, resumeState, () => this.#sessions.delete(session));
  }
}

interface SessionMemory {
  mode: AutoMode;
  readonly chats: Set<ChatMemory>;
}

export class ChatMemory {
  readonly #session: SessionMemory;
  readonly #host: AgentChatHost;
  readonly #onLastClosed: () => void;
  #progress: Progress | undefined;

  constructor(session: SessionMemory, host: AgentChatHost, saved: unknown, onLastClosed: () => void) {
    this.#session = session;
    this.#host = host;
    this.#onLastClosed = onLastClosed;
    session.chats.add(this);
    if (chatState.check(saved)) this.#progress = saved.progress;
  }

  get autoMode(): AutoMode {
    return this.#session.mode;
  }

  set autoMode(mode: AutoMode) {
    if (mode === this.#session.mode) return;
    this.#session.mode = mode;
    this.#host.saveSessionState({ auto: mode });
  }

  /** How far a turn had come when it began to wait for the user. */
  progressOf(turnId: string): Progress | undefined {
    return this.#progress?.turnId === turnId ? this.#progress : undefined;
  }

  saveProgress(progress: Progress): void {
    this.#progress = progress;
    this.#host.saveResumeState({ progress });
  }

  close(): void {
    const { chats } = this.#session;
    if (chats.delete(this) && chats.size === 0) this.#onLastClosed();
  }
}

// Another version may have written either of them: what does not fit is ignored.
const chatState = strict(Type.Object({ progress: ProgressSchema }));
const sessionState = strict(Type.Object({ auto: AutoModeSchema }));

function savedMode(saved: unknown): AutoMode {
  return sessionState.check(saved) ? saved.auto : 'off';
}
