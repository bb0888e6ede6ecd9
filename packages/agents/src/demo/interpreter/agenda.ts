import { parseScript, parseSteering } from '../script/parse.js';
import type { Step } from '../script/step.js';
import type { Progress } from './progress.js';

/** The steps that are still to be run, in order; steering puts its own in front. */
export class Agenda {
  readonly #pending: Step[]; // the next step is the last, where taking it is cheap
  readonly #steering: { after: number; text: string }[] = [];
  #taken = 0;

  constructor(message: string) {
    this.#pending = parseScript(message).reverse();
  }

  /** As it was when the progress was saved: the next step is the one that waited. */
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
