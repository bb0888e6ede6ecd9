import type { AddressInfo } from 'node:net';
import { JsonRpcErrorCodes, ROOT_URI, type SessionSummary } from '@moorage/protocol';
import { WebSocketServer } from 'ws';

/** As little of somebody else's host as a client needs: it has one session, and knows none of our extensions. */
export async function foreignHost(
  id = 'x',
  more: Partial<SessionSummary> = {},
): Promise<{ readonly url: string; close(): void }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const about = {
    provider: 'other',
    title: 'Foreign',
    status: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    modifiedAt: '2026-01-01T00:00:00.000Z',
  };
  const items: SessionSummary[] = [{ resource: `ahp-session:/${id}`, ...about, ...more }];
  const root = { resource: ROOT_URI, state: { agents: [] }, fromSeq: 0 };
  const answers: Readonly<Record<string, unknown>> = {
    initialize: { protocolVersion: '1.0.0', serverSeq: 0, snapshots: [root] },
    ping: null,
    listSessions: { items },
  };
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id: request, method } = JSON.parse(String(data)) as { id?: number; method: string };
      if (request === undefined) return;
      const error = { code: JsonRpcErrorCodes.MethodNotFound, message: `no method ${method}` };
      const answer = Object.hasOwn(answers, method) ? { result: answers[method] } : { error };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: request, ...answer }));
    });
  });
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}/`, close: () => server.close() };
}
