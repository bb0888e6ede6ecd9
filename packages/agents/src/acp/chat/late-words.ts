/** Milliseconds of silence after which late words are a message: agents send them in pieces. */
const QUIET_MS = 500;

/** UTF-16 units of late words that are kept, the first: nobody asked for them. */
const MAX_LATE_CHARS = 64 * 1024;

/** What an agent says when no turn runs, put together to whole messages. */
export class LateWords {
  readonly #say: (text: string) => void;
  #held = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  add(words: string): void {
    if (this.#held.length < MAX_LATE_CHARS) this.#held += words;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), QUIET_MS);
    this.#timer.unref();
  }

  /** Says what is there, before something else happens. */
  flush(): void {
    const said = this.#held.trim();
    this.drop();
    if (said !== '') this.#say(said);
  }

  /** Nobody is there to hear it any more. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#held = '';
  }
}
