/** The last envelopes of a channel that is not stored, for clients that reconnect. */
export class Ring {
  readonly #entries: { seq: number; json: string }[] = [];
  readonly #maxBytes: number;
  #bytes = 0;
  /** Everything after this serverSeq is still here. */
  #complete: number;

  constructor(completeSince: number, maxBytes = RING_BYTES) {
    this.#complete = completeSince;
    this.#maxBytes = maxBytes;
  }

  push(seq: number, json: string): void {
    this.#entries.push({ seq, json });
    this.#bytes += json.length;
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#entries.shift();
      if (!oldest) return;
      this.#bytes -= oldest.json.length;
      this.#complete = oldest.seq;
    }
  }

  /** The envelopes after a serverSeq as JSON texts joined by commas; undefined when some of them are gone. */
  since(seq: number): string | undefined {
    if (seq < this.#complete) return undefined;
    return this.#entries
      .filter((entry) => entry.seq > seq)
      .map((entry) => entry.json)
      .join(',');
  }
}

/** In UTF-16 units, per channel: enough for a dropped connection, little enough for hundreds of terminals. */
const RING_BYTES = 256 * 1024;
