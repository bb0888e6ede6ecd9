import type { AgentTurn } from '@moorage/host/ports';
import type { RequestedCall } from '../endpoint/answer.js';
import type { SavedStep } from '../history/saved-state.js';
import type { CallAnswer } from '../tools/execute.js';

type Progress = Pick<SavedStep, 'started' | 'results'>;

/**
 * How far the calls of one answer have come. It is saved as soon as one of them waits for the user, so that after a restart
 * of the host the turn can continue without doing anything twice.
 */
export class PendingStep {
  readonly calls: readonly RequestedCall[];
  readonly #turn: AgentTurn;
  readonly #keep: (progress: Progress) => void;
  readonly #started: Set<number>;
  readonly #interrupted: ReadonlySet<number>;
  readonly #results: Map<number, CallAnswer>;
  #isKept = false;

  constructor(
    turn: AgentTurn,
    calls: readonly RequestedCall[],
    keep: (progress: Progress) => void,
    earlier: Progress = { started: [], results: [] },
  ) {
    this.calls = calls;
    this.#turn = turn;
    this.#keep = keep;
    this.#started = new Set(earlier.started);
    this.#interrupted = new Set(earlier.started);
    this.#results = new Map(earlier.results.map(({ index, text, isError }) => [index, { text, isError }]));
  }

  /** The turn as tools get it: whatever asks the user saves the step first. */
  get turn(): AgentTurn {
    const saving: Pick<AgentTurn, 'confirm' | 'ask' | 'callMcpTool'> = {
      confirm: (request) => {
        this.#save();
        return this.#turn.confirm(request);
      },
      ask: (request) => {
        this.#save();
        return this.#turn.ask(request);
      },
      callMcpTool: (call) => {
        this.#save(); // the host may have to ask the user first
        return this.#turn.callMcpTool(call);
      },
    };
    // Not a copy: a turn may be of a class, whose methods would be left behind.
    return new Proxy(this.#turn, {
      get(turn, name) {
        const member: unknown = Reflect.get(Object.hasOwn(saving, name) ? saving : turn, name);
        return typeof member === 'function' ? member.bind(turn) : member;
      },
    });
  }

  /** The result of a call that was done before the host was restarted. */
  earlierResult(index: number): CallAnswer | undefined {
    return this.#results.get(index);
  }

  /** Whether a call was running when the host ended, so that nobody knows how far it got. */
  wasInterrupted(index: number): boolean {
    return this.#interrupted.has(index);
  }

  start(index: number): void {
    this.#started.add(index);
    if (this.#isKept) this.#save();
  }

  finish(index: number, answer: CallAnswer): void {
    this.#results.set(index, answer);
    if (this.#isKept) this.#save();
  }

  #save(): void {
    if (this.#turn.signal.aborted) return; // what happens now does not belong to the turn any more
    this.#isKept = true;
    const results = [...this.#results].map(([index, answer]) => ({ index, ...answer }));
    this.#keep({ started: [...this.#started], results });
  }
}
