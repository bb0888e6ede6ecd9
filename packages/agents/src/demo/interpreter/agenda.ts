import { parseScript, parseSteering } from '../script/parse.js';
import type { Step } from '../script/step.js';
import type { Progress } from './progress.js';

/** The steps that are still to be run. Steering puts its own in front. */
export class Agenda {
  readonly #pending: Step[]; // in reverse, because taking the last is cheap
  readonly #steering: { after: number; text: string }[] = [];
  #taken = 0;

  constructor(message: string) {
    this.#pending = parseScript(message).reverse();
  }

  /** Restores an agenda from saved progress: the next step is the one that was waiting. */
  static resume(message: string, { taken, steering }: Progress): Agenda {
    const agenda = new Agenda(message);
    for (let count = 1; count < taken; count++) {
      agenda.next();
      for (const { after, text } of steering) if (after === count) agenda.steer(text);
    }
    return agenda;
  }

  next(): Step | undefined {
    this.#taken++;
    return this.#pending.pop();
  }

  steer(text: string): void {
    this.#steering.push({ after: this.#taken, text });
    for (const step of parseSteering(text).reverse()) this.#pending.push(step);
  }

  get progress(): Pick<Progress, 'taken' | 'steering'> {
    return { taken: this.#taken, steering: [...this.#steering] };
  }
}
