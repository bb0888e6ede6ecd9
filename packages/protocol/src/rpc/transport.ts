/**
 * A connection that carries whole text messages. Every implementation guarantees:
 * - messages arrive whole, in the order sent, each at most once, and none after the close;
 * - `send` and `close` never throw; after the close both do nothing;
 * - every close listener is called exactly once, also one added after the close.
 *
 * A message that arrives while no listener is attached is lost, so attach in the turn the transport is handed over.
 */
export interface Transport {
  /** Sends one message. */
  send(text: string): void;
  /** Ends the connection. */
  close(code?: number, reason?: string): void;
  /** Called with each message. */
  onMessage(listener: (text: string) => void): void;
  /** Called once, when the connection is gone. */
  onClose(listener: (info: CloseInfo) => void): void;
}

/** Code and reason as in a WebSocket close frame. */
export interface CloseInfo {
  /** The close code of a WebSocket. */
  readonly code?: number;
  /** Why, in words. */
  readonly reason?: string;
}

export function closeInfo(code: number | undefined, reason: string | undefined): CloseInfo {
  return { ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) };
}
