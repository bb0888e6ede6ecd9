import { plainLine } from './plain.js';

/** One line on a terminal that says what is going on, and disappears when nothing is. */
export class StatusLine {
  #shown: string | undefined;

  show(text: string | undefined): void {
    if (!process.stderr.isTTY || text === this.#shown) return;
    this.#shown = text;
    process.stderr.write(
      `\r\x1b[K${text === undefined ? '' : `${plainLine(text).slice(0, (process.stderr.columns || 80) - 4)} ...`}`,
    );
  }
}
