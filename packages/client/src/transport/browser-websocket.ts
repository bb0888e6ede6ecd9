import { type Transport, TransportListeners } from '@ahpd/protocol';
import { ConnectError } from '../errors.js';
import { webSocketTransport } from './websocket.js';

/** Browsers cannot set headers on a WebSocket, so that the token travels as a subprotocol beside the real one. */
export function openBrowserWebSocket(url: string, token: string | undefined): Promise<Transport> {
  return new Promise((resolve, reject) => {
    // Without a token none is offered: a host that selects none of what is offered would lose the connection.
    const socket = new WebSocket(url, token === undefined ? [] : ['ahp', `ahp.bearer.${token}`]);
    const listeners = new TransportListeners();
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') listeners.message(data);
      else socket.close();
    };
    socket.onclose = ({ code, reason }) => {
      listeners.close({ code, reason });
      // A page is not told why: a wrong token, an origin that is not allowed and a dead host look alike.
      reject(new ConnectError('unreachable', 'no connection: the host is down or refused it'));
    };
    socket.onerror = () => {}; // says nothing, and a close follows
    socket.onopen = () => resolve(webSocketTransport(socket, listeners));
  });
}
