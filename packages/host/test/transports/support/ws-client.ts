import type { Socket } from 'node:net';
import type { CloseInfo } from '@moorage/protocol';
import { WebSocket } from 'ws';
import type { FarEnd } from '../../../src/testing/transport-contract.js';
import { TOKEN } from './host.js';

/** A client made with `ws`, connected. */
export async function connectWs(
  url: string,
  options: WebSocket.ClientOptions = {},
): Promise<FarEnd & { ws: WebSocket; socket: Socket }> {
  const ws = new WebSocket(url, { headers: { authorization: `Bearer ${TOKEN}` }, ...options });
  const upgraded = new Promise<Socket>((resolve) => ws.once('upgrade', (response) => resolve(response.socket)));
  const received: string[] = [];
  ws.on('message', (data) => received.push(String(data)));
  const closed = new Promise<CloseInfo>((resolve) =>
    ws.on('close', (code, reason) => resolve({ code, ...(reason.length > 0 && { reason: String(reason) }) })),
  );
  await new Promise((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
  });
  ws.on('error', () => {});
  return {
    ws,
    socket: await upgraded,
    received,
    send: (text) => {
      if (ws.readyState === WebSocket.OPEN) ws.send(text);
    },
    pause: () => ws.pause(),
    resume: () => ws.resume(),
    close: () => ws.close(1000),
    cut: () => ws.terminate(),
    closed,
  };
}
