import { WebSocket } from 'ws';
import { median } from '../lib/fit.mjs';
import { startHost } from './fan-out.mjs';
import { startChild } from './processes.mjs';
import { ROOT, TOKEN } from './shared.mjs';

/** From the request of a client that comes back to the answer with all that it missed, over a socket. */
export function replay(smoke) {
  const [actions, rounds] = smoke ? [50, 1] : [10_000, 15];
  return {
    name: `reconnect after ${actions} actions, against a bare socket that answers the same bytes`,
    atMost: 2,
    work: 1,
    async run() {
      const { host, client, channel, prompt } = await startHost();
      const readers = await startChild('./readers.mjs');
      await readers.ask('connect', { port: host.port, count: 1, channel });
      const clientId = crypto.randomUUID();
      const first = await open(host.port);
      const offer = { channel: ROOT, clientId, protocolVersions: ['1.0.0'], initialSubscriptions: [channel] };
      const { result } = JSON.parse(await ask(first, 'initialize', offer));
      first.close();
      prompt(`burst:${actions}:16`);
      await readers.ask('receiveTurn');
      const back = { channel: ROOT, clientId, lastSeenServerSeq: result.serverSeq, subscriptions: [channel] };
      const bare = await startChild('./bare-server.mjs');
      const echo = await open(bare.port);
      const [baseline, ours] = [[], []];
      for (let round = 0; round < rounds; round++) {
        const socket = await open(host.port);
        const started = performance.now();
        const answer = await ask(socket, 'reconnect', back);
        ours.push(performance.now() - started);
        socket.close();
        if (round === 0) {
          check(answer, actions);
          await bare.ask('serve', { text: answer });
        }
        const asked = performance.now();
        await ask(echo, 'reconnect', back);
        baseline.push(performance.now() - asked);
      }
      echo.close();
      client.close();
      for (const child of [readers, host, bare]) await child.stop();
      return { baselineMs: median(baseline), oursMs: median(ours) };
    },
  };
}

function check(answer, actions) {
  const { result, error } = JSON.parse(answer);
  if (result?.type !== 'replay' || result.actions.length < actions)
    throw new Error(`no replay: ${error?.message ?? result.type}`);
}

async function open(port) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?token=${TOKEN}`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

function ask(socket, method, params) {
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return new Promise((resolve) => {
    const listen = (data) => {
      const text = data.toString();
      if (!text.startsWith('{"jsonrpc":"2.0","id":1') && !text.includes('"id":1')) return;
      socket.off('message', listen);
      resolve(text);
    };
    socket.on('message', listen);
  });
}
