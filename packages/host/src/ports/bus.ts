/**
 * Carries messages between machines that cannot reach each other directly. Subjects are words joined by dots. Delivery is at
 * most once: a message may be lost, and nobody is told; those of one publisher to one subscriber arrive in order. What must
 * not be lost is numbered or answered by whoever uses the bus.
 */
export interface Bus {
  /** The most bytes that one message may have. */
  readonly maxBytes: number;
  /** Never throws for a connection that is down: the message is lost then. The body must stay as it is until the next `flush`. */
  publish(subject: string, body: Uint8Array): void;
  /**
   * In the pattern, `*` stands for any one word, and `>` at its end for one or more. Every subscriber gets every message, also
   * those of its own connection.
   */
  subscribe(pattern: string, listener: (message: BusMessage) => void): BusSubscription;
  /** Asks whoever serves the subject. Rejects with a BusError when nobody does, or nobody answers in time. */
  request(subject: string, body: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  /**
   * Answers requests. Of those that serve a pattern with the same group, one gets each request. An answer that rejects is
   * no answer: whoever asked waits until its time is over.
   */
  serve(pattern: string, answer: (message: BusMessage) => Promise<Uint8Array>, group?: string): BusSubscription;
  /** Resolves when the other side has taken note of all subscriptions and messages so far; rejects with a BusError when it is down. */
  flush(): Promise<void>;
  /** Whether messages can be sent now. */
  readonly isUp: boolean;
  /** Called on every change. While the bus was down, messages may have been lost; subscriptions and what is served are not. */
  onState(listener: (isUp: boolean) => void): BusSubscription;
  /** Ends all subscriptions. Requests under way and later ones are rejected as `down`. */
  close(): Promise<void>;
}

export interface BusMessage {
  /** What it was sent to. */
  readonly subject: string;
  /** The bytes that were published. */
  readonly body: Uint8Array;
}

export interface BusSubscription {
  /** Nothing more is delivered from then on. May be called more than once. */
  end(): void;
}

/** Why a request has no answer. */
export class BusError extends Error {
  override readonly name = 'BusError';
  /** `unserved`: nobody serves the subject. `late`: no answer in time. `down`: the bus is, or was closed. */
  readonly kind: 'unserved' | 'late' | 'down';

  constructor(kind: BusError['kind'], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
