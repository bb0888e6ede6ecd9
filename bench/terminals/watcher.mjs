import { WebSocket } from 'ws';
import { TOKEN } from '../host/shared.mjs';

/** A client of one terminal that does as little as it can with what it gets. */
export async function watchTerminal(port, onData) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  await new Promise((resolve) => socket.once('open', resolve));
  const channel = `ahp-terminal:/${crypto.randomUUID()}`;
  const clientId = crypto.randomUUID();
  let clientSeq = 0;
  let answers = 0;
  const ready = new Promise((resolve, reject) => {
    socket.on('message', (data) => {
      const { id, error, params } = JSON.parse(data);
      if (error) reject(new Error(error.message));
      else if (id !== undefined && ++answers === 3) resolve();
      else if (params?.action.type === 'terminal/data') onData(params.action.data);
    });
  });
  const send = (message) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  send({ id: 1, method: 'initialize', params: { channel: 'ahp-root://', clientId, protocolVersions: ['1.0.0'] } });
  send({ id: 2, method: 'createTerminal', params: { channel, claim: { kind: 'client', clientId } } });
  send({ id: 3, method: 'subscribe', params: { channel } });
  await ready;
  return {
    type: (data) => {
      const params = { channel, clientSeq: ++clientSeq, action: { type: 'terminal/input', data } };
      send({ method: 'dispatchAction', params });
    },
    close: () => socket.close(),
  };
}
