import type { AgentChat, AgentChatOptions, AgentProvider, AgentTurn, TurnOutcome } from '@moorage/host';
import type { Turn } from '@moorage/protocol';

export interface TestAgentOptions {
  /** What it does in a turn; nothing means that the turn is complete. */
  readonly prompt?: (turn: AgentTurn, chat: AgentChatOptions) => Promise<TurnOutcome | undefined>;
  /** Opening a chat waits for this. */
  readonly opening?: (chat: AgentChatOptions) => Promise<void>;
  /** Closing one waits for this. */
  readonly closing?: () => Promise<void>;
  /** Forgetting turns waits for this. */
  readonly rewinding?: () => Promise<void>;
  readonly resumesTurns?: boolean;
}

export interface TestAgent extends AgentProvider {
  /** Every chat that was opened, and those that were let go of. */
  readonly opened: AgentChatOptions[];
  readonly disposed: string[];
  /** Every turn that it was asked to run. */
  readonly turns: AgentTurn[];
  readonly rewinds: string[][];
}

/** An agent that a test writes in a few lines: provider `test`. */
export function testAgent(options: TestAgentOptions = {}): TestAgent {
  const { prompt, opening, closing, rewinding, resumesTurns = false } = options;
  const opened: AgentChatOptions[] = [];
  const disposed: string[] = [];
  const turns: AgentTurn[] = [];
  const rewinds: string[][] = [];
  const chatOf = (chat: AgentChatOptions): AgentChat => ({
    prompt: async (turn) => {
      turns.push(turn);
      return (await prompt?.(turn, chat)) ?? { kind: turn.signal.aborted ? 'cancelled' : 'complete' };
    },
    rewind: async (history: readonly Turn[]) => {
      rewinds.push(history.map((turn) => turn.id));
      await rewinding?.();
    },
    dispose: async () => {
      disposed.push(chat.chat);
      await closing?.();
    },
  });
  return {
    info: { provider: 'test', displayName: 'Test', description: 'Does what the test says', models: [] },
    resumesTurns,
    opened,
    disposed,
    turns,
    rewinds,
    openChat: async (chat) => {
      opened.push(chat);
      await opening?.(chat);
      return chatOf(chat);
    },
    dispose: async () => {},
  };
}

/** Resolves when the turn is cancelled or otherwise stopped. */
export function stopped(turn: AgentTurn): Promise<void> {
  if (turn.signal.aborted) return Promise.resolve();
  return new Promise((resolve) => turn.signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** An agent whose turns wait until the test lets them end, or do what the test sets as `next`. */
export class GatedAgent implements TestAgent {
  readonly #agent = testAgent({
    prompt: (turn) => this.#prompt(turn),
    opening: () => this.#opening(),
    closing: async () => this.closing?.(),
    rewinding: () => this.#rewinding(),
  });
  readonly #gates: (() => void)[] = [];
  #isOpen = false;
  /** What the turns that start from now on do instead of waiting. */
  next: ((turn: AgentTurn) => Promise<TurnOutcome | undefined>) | undefined;

  /** Waited for when the next chat is opened. */
  opening: (() => Promise<void>) | undefined;
  /** Waited for when a chat is closed. */
  closing: (() => Promise<void>) | undefined;
  /** Waited for when an agent is told the next time to forget turns. */
  rewinding: (() => Promise<void>) | undefined;

  readonly info: AgentProvider['info'] = this.#agent.info;
  readonly opened = this.#agent.opened;
  readonly disposed = this.#agent.disposed;
  readonly turns = this.#agent.turns;
  readonly rewinds = this.#agent.rewinds;
  readonly openChat = this.#agent.openChat;
  readonly dispose = this.#agent.dispose;

  /** Waits until the test opens. */
  gate(): Promise<void> {
    return this.#isOpen ? Promise.resolve() : new Promise((resolve) => this.#gates.push(resolve));
  }

  /** Lets everything that waits now go on. */
  open(): void {
    for (const pass of this.#gates.splice(0)) pass();
  }

  /** Lets everything go on, also what has not come yet. */
  openAll(): void {
    this.#isOpen = true;
    this.open();
  }

  async #opening(): Promise<void> {
    const { opening } = this;
    this.opening = undefined;
    await opening?.();
  }

  async #rewinding(): Promise<void> {
    const { rewinding } = this;
    this.rewinding = undefined;
    await rewinding?.();
  }

  async #prompt(turn: AgentTurn): Promise<TurnOutcome | undefined> {
    if (this.next) return this.next(turn);
    await Promise.race([this.gate(), stopped(turn)]);
    return undefined;
  }
}
