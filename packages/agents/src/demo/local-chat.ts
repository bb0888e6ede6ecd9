import type { AgentChat, AgentChatOptions, AgentTurn, TurnOutcome } from '@moorage/host/ports';
import { commentsIn } from './comments.js';
import type { ScriptChat } from './interpreter/ports.js';
import { runTurn } from './interpreter/run-turn.js';
import type { ChatMemory } from './memory.js';
import { CANNOT_RESUME, exitedError, failed } from './outcomes.js';

/** Runs scripts in the host's own process, for tests and programs that embed a host. */
export class LocalChat implements AgentChat {
  readonly #memory: ChatMemory;
  readonly #chat: ScriptChat;

  constructor({ workingDirectory, host, files }: AgentChatOptions, memory: ChatMemory) {
    this.#memory = memory;
    this.#chat = {
      workingDirectory,
      files,
      setTitle: (title) => host.setTitle(title, { isRequested: true }),
      autoMode: () => memory.autoMode,
      setAutoMode: (mode) => {
        memory.autoMode = mode;
      },
      saveProgress: (progress) => memory.saveProgress(progress),
      crash: () => failed(exitedError('as the script asked')),
    };
  }

  async prompt(turn: AgentTurn): Promise<TurnOutcome> {
    const progress = turn.resumed ? this.#memory.progressOf(turn.turnId) : undefined;
    if (turn.resumed && !progress) return CANNOT_RESUME;
    const chat = { ...this.#chat, goAhead: () => turn.goAhead() };
    return runTurn(turn, chat, progress, commentsIn(turn.message));
  }

  /** A script remembers nothing of earlier turns. */
  async rewind(): Promise<void> {}

  async dispose(): Promise<void> {
    this.#memory.close();
  }
}
