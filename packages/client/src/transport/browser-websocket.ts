import { type Transport, TransportListeners } from '@moorage/protocol';
import { ConnectError } from '../errors.js';
import { webSocketTransport } from './websocket.js';

/** Browsers cannot set headers on a WebSocket, so the token travels as a subprotocol beside the real one. */
export function openBrowserWebSocket(url: string, token: string | undefined): Promise<Transport> {
  return new Promise((resolve, reject) => {
    // None is offered without a token: a browser drops the connection when the host selects none of those offered.
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
    socket.onerror = () => {}; // has no details, and a close follows
    socket.onopen = () => resolve(webSocketTransport(socket, listeners));
  });
}
