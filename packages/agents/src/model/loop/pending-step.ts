import type { AgentTurn } from '@ahpd/host/ports';
import type { RequestedCall } from '../endpoint/answer.js';
import type { SavedStep } from '../history/saved-state.js';
import type { CallAnswer } from '../tools/execute.js';

type Progress = Pick<SavedStep, 'started' | 'results'>;

/**
 * How far the calls of one answer have come. It is kept durably as soon as one of them waits for the user, so that the
 * turn can go on after a restart of the host without doing anything twice.
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

  /** The turn for tools: asking the user is what makes the step worth keeping. */
  get turn(): AgentTurn {
    return {
      ...this.#turn,
      confirm: (request) => {
        this.#save();
        return this.#turn.confirm(request);
      },
      ask: (request) => {
        this.#save();
        return this.#turn.ask(request);
      },
    };
  }

  /** What came of a call in an earlier life of the host. */
  earlierResult(index: number): CallAnswer | undefined {
    return this.#results.get(index);
  }

  /** It was under way when the host ended: nobody knows how far it came. */
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
    if (this.#turn.signal.aborted) return; // what happens now is no longer part of the turn
    this.#isKept = true;
    const results = [...this.#results].map(([index, answer]) => ({ index, ...answer }));
    this.#keep({ started: [...this.#started], results });
  }
}
