import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { HostContext } from '../context.js';
import type { SessionService } from '../sessions/session-service.js';
import { endTurn } from './end-turn.js';
import { overBudget, spentIn } from './spent.js';
import { failed, isOfHost } from './turn-ends.js';

/** Pauses sessions whose budget is used up: turns that run are stopped, and none starts until the budget is raised. */
export class Budgets {
  readonly #context: HostContext;
  readonly #sessions: SessionService;

  constructor(context: HostContext, sessions: SessionService) {
    this.#context = context;
    this.#sessions = sessions;
  }

  /** Why no turn may run in a session; undefined if one may. */
  problem(session: Channel<'session'>): string | undefined {
    const budget = session.state.config?.values.budget;
    if (typeof budget !== 'number' || !(budget > 0)) return undefined;
    const over = overBudget(budget, spentIn(this.#sessions.chatsOf(session).map(({ state }) => state)));
    return over && `${over}. ${HOW_TO_GO_ON}`;
  }

  /** An agent has reported what it used. */
  onChat({ channel }: Committed<'chat'>): void {
    const session = this.#sessions.sessionOf(channel);
    const message = this.problem(session);
    if (message === undefined) return;
    for (const chat of this.#sessions.chatsOf(session)) {
      const turn = chat.state.activeTurn;
      if (!turn || isOfHost(turn)) continue;
      endTurn(this.#context, chat, failed(turn, { errorType: BUDGET_REACHED, message }, this.#context.clock.now()));
    }
  }
}

export const BUDGET_REACHED = 'budgetReached';

const HOW_TO_GO_ON =
  'Raise it in the settings of the session (moorage send --budget AMOUNT), then send a message to go on.';
