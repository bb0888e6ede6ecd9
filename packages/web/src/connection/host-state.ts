import { plural } from '../ui/format.js';
import type { RemoteHost } from './remote-hosts.js';

/** The state of a host, as one of the moods of session dots. */
export function hostMood({ connection }: RemoteHost): 'idle' | 'working' | 'error' {
  if (connection.state === 'connected') return connection.client.status === 'live' ? 'idle' : 'error';
  return connection.state === 'connecting' ? 'working' : 'error';
}

export function isLive({ connection }: RemoteHost): boolean {
  return connection.state === 'connected' && connection.client.status === 'live';
}

/** Describes the state of a host, and what to do about it. */
export function hostSentence({ connection, entry, sessions }: RemoteHost, page: string): string {
  switch (connection.state) {
    case 'connecting':
      return 'Connecting…';
    case 'unreachable':
      return 'It does not answer. This page keeps trying.';
    case 'refused':
      return `It answers, but refuses this page. Either the token is wrong, or allowedOrigins in its configuration does not include ${page}.`;
    case 'forbidden':
      return `The host that serves this page does not let it connect there. Add ${entry.id} to otherHosts in its configuration and restart it.`;
    case 'connected':
      if (connection.client.status !== 'live') return 'The connection dropped. Reconnecting…';
      return `Connected, ${plural(sessions.length, 'session')}.`;
  }
}
