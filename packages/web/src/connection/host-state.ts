import { plural } from '../ui/format.js';
import type { RemoteHost } from './remote-hosts.js';

/** In the words of the dots that sessions have. */
export function hostMood({ connection }: RemoteHost): 'idle' | 'working' | 'error' {
  if (connection.state === 'connected') return connection.client.status === 'live' ? 'idle' : 'error';
  return connection.state === 'connecting' ? 'working' : 'error';
}

export function isLive({ connection }: RemoteHost): boolean {
  return connection.state === 'connected' && connection.client.status === 'live';
}

/** How it is with a host, and what to do about it. */
export function hostSentence({ connection, entry, sessions }: RemoteHost, page: string): string {
  switch (connection.state) {
    case 'connecting':
      return 'Connecting…';
    case 'unreachable':
      return 'It does not answer. This page keeps trying.';
    case 'refused':
      return `It answers, but does not let this page in. Either the token is wrong, or its configuration does not name ${page} in allowedOrigins.`;
    case 'forbidden':
      return `The host that serves this page does not let it connect there. Put ${entry.id} into otherHosts in its configuration and start it again.`;
    case 'connected':
      if (connection.client.status !== 'live') return 'The connection dropped. Reconnecting…';
      return `Connected, ${plural(sessions.length, 'session')}.`;
  }
}
