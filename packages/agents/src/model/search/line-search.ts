import { Worker } from 'node:worker_threads';
import { strict, type Validator } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import type { ModelClock } from '../options.js';

export interface LineHit {
  readonly line: number;
  readonly text: string;
}

export interface LineSearchOptions {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** For all texts together. */
  readonly maxMs: number;
  readonly clock: ModelClock;
  readonly signal: AbortSignal;
}

const answer: Validator<LineHit[]> = strict(Type.Array(Type.Object({ line: Type.Integer(), text: Type.String() })));

/** Searches texts in a thread, because a model's regular expression may run for ever and only a thread can be stopped. */
export class LineSearch {
  readonly #worker: Worker;
  readonly #options: LineSearchOptions;
  readonly #timer: unknown;
  #waiting: ((hits: LineHit[] | undefined) => void) | undefined;
  #isOver = false;

  constructor(options: LineSearchOptions) {
    this.#options = options;
    const { pattern, ignoreCase } = options;
    this.#worker = new Worker(new URL('./line-search-worker.js', import.meta.url), {
      workerData: { pattern, ignoreCase },
      env: {},
    });
    this.#worker.on('message', (hits: unknown) => this.#settle(answer.check(hits) ? hits : undefined));
    this.#worker.on('error', () => this.#end());
    this.#worker.on('exit', () => this.#end());
    this.#timer = options.clock.setTimeout(this.#end, options.maxMs);
    options.signal.addEventListener('abort', this.#end, { once: true });
  }

  /** The matching lines; undefined when the search was stopped. */
  search(text: string): Promise<LineHit[] | undefined> {
    if (this.#isOver) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#worker.postMessage(text);
    });
  }

  async close(): Promise<void> {
    this.#end();
    await this.#worker.terminate();
  }

  readonly #end = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.clock.clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#end);
    void this.#worker.terminate();
    this.#settle(undefined);
  };

  #settle(hits: LineHit[] | undefined): void {
    const resolve = this.#waiting;
    this.#waiting = undefined;
    resolve?.(hits);
  }
}
