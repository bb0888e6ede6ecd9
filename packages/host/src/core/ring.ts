/** The last envelopes of a channel that is not stored, for clients that reconnect. The oldest are dropped past a bound. */
export class Ring {
  readonly #entries: { seq: number; json: string }[] = [];
  readonly #maxChars: number;
  #chars = 0;
  /** Every envelope after this serverSeq is still here. */
  #completeSince: number;

  constructor(completeSince: number, maxChars = RING_CHARS) {
    this.#completeSince = completeSince;
    this.#maxChars = maxChars;
  }

  push(seq: number, json: string): void {
    this.#entries.push({ seq, json });
    this.#chars += json.length;
    while (this.#chars > this.#maxChars) {
      const oldest = this.#entries.shift();
      if (!oldest) return;
      this.#chars -= oldest.json.length;
      this.#completeSince = oldest.seq;
    }
  }

  /** The envelopes after a serverSeq as JSON texts joined by commas; undefined when some of them were dropped. */
  since(seq: number): string | undefined {
    if (seq < this.#completeSince) return undefined;
    return this.#entries
      .filter((entry) => entry.seq > seq)
      .map((entry) => entry.json)
      .join(',');
  }
}

/** UTF-16 units per channel: enough for a dropped connection, and affordable for hundreds of terminals. */
const RING_CHARS = 256 * 1024;
