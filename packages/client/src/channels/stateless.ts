import type { MirrorStatus } from './mirror.js';

/** A subscription to a channel without state, such as telemetry or the side channel of an MCP server. */
export interface StatelessChannel {
  readonly uri: string;
  readonly status: MirrorStatus;
  /** Called for every notification on this channel, as it came; nothing is replayed after a reconnect (B-81). */
  onNotification(listener: (method: string, params: Readonly<Record<string, unknown>>) => void): () => void;
  /** Called when the status changed. */
  onStatus(listener: (status: MirrorStatus) => void): () => void;
  /** A request on this channel. Method, params and result are those of the protocol that the channel carries. */
  request(method: string, params?: object): Promise<unknown>;
  notify(method: string, params?: object): void;
  /** Gives the subscription back. With the last one of its URI it ends. */
  release(): void;
}
