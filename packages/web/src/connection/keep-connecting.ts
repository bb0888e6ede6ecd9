import { type Client, connect } from '@moorage/client';
import { hostAnswers } from './probe.js';

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'unreachable' }
  /** The host answers, but refuses the connection. */
  | { readonly state: 'refused' }
  /** The page's policy blocks the connection. */
  | { readonly state: 'forbidden' }
  | { readonly state: 'connected'; readonly client: Client };

interface Target {
  readonly url: string;
  readonly token: string;
  readonly clientId?: string;
  /** Milliseconds before a refused connection is retried. By default, a refusal is final. */
  readonly retryRefusedMs?: number;
  readonly isForbidden?: () => boolean;
}

/** Pause before an unreachable host is tried again. */
const RETRY_MS = 1_500;
/** The longest pause between attempts to reconnect. Short, because someone is watching. */
const MAX_RECONNECT_DELAY_MS = 4_000;

/** Connects, and keeps trying while the host is unreachable. Returns a function that stops, and closes the connection. */
export function keepConnecting(target: Target, onChange: (connection: Connection) => void): () => void {
  let ended = false;
  let client: Client | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = async () => {
    try {
      const made = await connect({
        url: target.url,
        token: target.token,
        clientId: target.clientId,
        clientInfo: { name: 'moorage-web' },
        reconnect: { maxDelayMs: MAX_RECONNECT_DELAY_MS },
        onError: (error) => reportError(error),
      });
      if (ended) return made.close();
      client = made;
      onChange({ state: 'connected', client: made });
    } catch {
      const answers = await hostAnswers(target.url);
      if (ended) return;
      const state = target.isForbidden?.() ? 'forbidden' : answers ? 'refused' : 'unreachable';
      onChange({ state });
      const pause = state === 'unreachable' ? RETRY_MS : state === 'refused' ? target.retryRefusedMs : undefined;
      if (pause !== undefined) timer = setTimeout(attempt, pause);
    }
  };
  void attempt();
  return () => {
    ended = true;
    clearTimeout(timer);
    client?.close();
  };
}

function reportError(error: unknown): void {
  globalThis.reportError?.(error);
}
