import { setImmediate } from 'node:timers/promises';

type Body = NonNullable<Response['body']>;

/** Changes a text that comes in pieces. */
export interface TextReader {
  add(piece: string): string;
  end(): string;
}

/** UTF-16 units that may wait to be read. Then the sender has to wait. */
const MAX_WAITING_CHARS = 1024 * 1024;

/**
 * What `reader` makes of a body. Chunks that come at the same moment are read as one: a quick server sends hundreds, and each
 * would take its own way through the streams and schemas of the SDK.
 */
export function gatheredBody(body: Body, reader: TextReader): Body {
  const arrived = new Arrived(body);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { text, isLast } = await arrived.take();
          const made = reader.add(text) + (isLast ? reader.end() : '');
          if (made !== '') controller.enqueue(encoder.encode(made));
          if (isLast) controller.close();
          if (made !== '' || isLast) return;
        }
      },
      cancel: (reason) => arrived.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Reads a body to its end, ahead of whoever takes the text. */
class Arrived {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = '';
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  #onMore = () => {};
  #onTaken = () => {};

  constructor(body: Body) {
    this.#reader = body.getReader();
    void this.#read();
  }

  /** Resolves with all that has come, once there is anything. Rejects when the body broke off, after what came before. */
  async take(): Promise<{ text: string; isLast: boolean }> {
    if (this.#isEmpty) await new Promise<void>((resolve) => (this.#onMore = resolve));
    await setImmediate(); // what has come with it is read by then
    if (this.#text === '' && this.#failure) throw this.#failure.error;
    const text = this.#text;
    this.#text = '';
    this.#onTaken();
    return { text, isLast: this.#isOver };
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }

  get #isEmpty(): boolean {
    return this.#text === '' && !this.#isOver && !this.#failure;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      while (!this.#isOver) {
        const { done, value } = await this.#reader.read();
        this.#text += decoder.decode(value, { stream: !done });
        this.#isOver = done;
        this.#onMore();
        if (this.#text.length > MAX_WAITING_CHARS) await new Promise<void>((resolve) => (this.#onTaken = resolve));
      }
    } catch (error) {
      this.#failure = { error };
      this.#onMore();
    }
  }
}
