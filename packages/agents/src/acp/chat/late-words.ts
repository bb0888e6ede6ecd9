/** Milliseconds of silence after which late words are taken as a whole message: agents send them in pieces. */
const QUIET_MS = 500;

/** UTF-16 units of late words that are kept, from the start: nobody asked for them. */
const MAX_LATE_CHARS = 64 * 1024;

/** Collects what an agent says while no turn is running into whole messages. */
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

  /** Says what has been collected, before something else happens. */
  flush(): void {
    const said = this.#held.trim();
    this.drop();
    if (said !== '') this.#say(said);
  }

  /** Forgets it, when nobody is left to hear it. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#held = '';
  }
}
