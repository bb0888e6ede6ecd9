import { type Client, connect } from '@ahpd/client';
import { hostAnswers } from './probe.js';

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'unreachable' }
  /** The host is there and takes us not. */
  | { readonly state: 'refused' }
  /** The policy of the page does not let it go there. */
  | { readonly state: 'forbidden' }
  | { readonly state: 'connected'; readonly client: Client };

interface Target {
  readonly url: string;
  readonly token: string;
  readonly clientId?: string;
  /** Milliseconds after which a host that refused is asked again; without it that is final. */
  readonly retryRefusedMs?: number;
  readonly isForbidden?: () => boolean;
}

/** How long to wait before trying a host again that was not there. */
const RETRY_MS = 1_500;
/** The longest pause between attempts to come back: a person is looking. */
const MAX_RECONNECT_DELAY_MS = 4_000;

/** Connects, and keeps trying while there is no host. Gives how to stop, which also ends the connection. */
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
