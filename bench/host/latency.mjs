import { connect } from '@moorage/client';
import { WebSocket } from 'ws';
import { median } from '../lib/fit.mjs';
import { startChild } from './processes.mjs';
import { TOKEN } from './shared.mjs';

/** From a dispatch to its echo, stored on the way, against a bare `ws` echo: the median of many, in turn. */
export function latency(smoke) {
  const rounds = smoke ? 5 : 1_000;
  return {
    name: 'dispatch to echo, durable, median',
    atMost: 2,
    work: 1,
    async run() {
      const host = await startChild('./our-host.mjs');
      const bare = await startChild('./bare-server.mjs');
      const client = await connect({ url: `ws://127.0.0.1:${host.port}/`, token: TOKEN });
      const session = `ahp-session:/${crypto.randomUUID()}`;
      await client.request('createSession', { channel: session });
      const mirror = await client.session(session);
      const socket = new WebSocket(`ws://127.0.0.1:${bare.port}/`);
      await new Promise((resolve) => socket.once('open', resolve));
      const frame = JSON.stringify({
        channel: session,
        clientSeq: 1,
        action: { type: 'session/titleChanged', title: 'title 1' },
      });
      const ours = [];
      const baseline = [];
      for (let round = 0; round < rounds; round++) {
        baseline.push(await timed(() => echo(socket, frame)));
        ours.push(await timed(() => mirror.dispatch({ type: 'session/titleChanged', title: `title ${round}` })));
      }
      client.close();
      socket.close();
      await host.stop();
      await bare.stop();
      return { baselineMs: median(baseline), oursMs: median(ours) };
    },
  };
}

function echo(socket, frame) {
  socket.send(frame);
  return new Promise((resolve) => socket.once('message', resolve));
}

async function timed(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
