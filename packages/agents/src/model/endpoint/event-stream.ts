import { MAX_ANSWER_CHARS } from '../limits.js';
import { ModelFailure } from './failure.js';

/** Reads server-sent events with JSON as data, however the text is cut. An event is read as soon as its JSON is complete. */
export class EventStream {
  #line = '';
  #data = '';
  #endedInReturn = false;

  /** The events that end in this text. */
  add(text: string): unknown[] {
    // A line may end in a return and a line feed that come one by one.
    const more = this.#endedInReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#endedInReturn = text.endsWith('\r');
    const lines = (this.#line + more).split(/\r\n|\n|\r/);
    this.#line = lines.pop() ?? '';
    if (this.#line.length + this.#data.length > MAX_ANSWER_CHARS) throw endless();
    return lines.flatMap((line) => this.#read(line));
  }

  /** What is left when nothing more comes. */
  end(): unknown[] {
    return [this.#line, ''].flatMap((line) => this.#read(line));
  }

  #read(line: string): unknown[] {
    if (line === '') {
      if (this.#data === '') return [];
      throw new Error(`it sent an event that is no JSON: ${this.#data}`);
    }
    if (!line.startsWith('data:')) return []; // names, numbers and comments, such as signs of life
    const data = line.slice(line.startsWith('data: ') ? 6 : 5);
    if (data.trim() === '[DONE]') return [];
    this.#data += this.#data === '' ? data : `\n${data}`;
    try {
      const event: unknown = JSON.parse(this.#data);
      this.#data = '';
      return [event];
    } catch {
      return []; // it may go on in the next line
    }
  }
}

export function endless(): ModelFailure {
  return new ModelFailure('answerTooLong', 'The model endpoint would not stop talking, so its answer was ended.');
}
