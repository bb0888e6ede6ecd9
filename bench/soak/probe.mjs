import { connect } from '@moorage/client';
import { WebSocket } from 'ws';
import { startChild } from '../host/processes.mjs';
import { median } from '../lib/fit.mjs';

/**
 * A quiet client beside the crowd: how long the host takes to answer, and to store an action and tell of it. A bare echo
 * at the same moments tells how busy the machine is: it is on the same processors and does no work.
 */
export async function startProbe({ url, token }) {
  const client = await connect({ url, token });
  const session = `ahp-session:/${crypto.randomUUID()}`;
  await client.request('createSession', { channel: session, provider: 'demo' });
  const mirror = await client.session(session);
  const bare = await startChild('./bare-server.mjs');
  const socket = new WebSocket(`ws://127.0.0.1:${bare.port}/`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let [bares, pings, echoes] = [[], [], []];
  let round = 0;
  const timer = setInterval(async () => {
    try {
      const begun = performance.now();
      socket.send('echo');
      await new Promise((resolve) => socket.once('message', resolve));
      const started = performance.now();
      await client.request('ping');
      const answered = performance.now();
      await mirror.dispatch({ type: 'session/titleChanged', title: `probe ${round++}` });
      bares.push(started - begun);
      pings.push(answered - started);
      echoes.push(performance.now() - answered);
    } catch {
      // the host has ended, or takes very long: the run says so
    }
  }, 200);
  return {
    /** The medians since the last call, and the longest wait for an answer. */
    take() {
      const [bareMs, pingMs, echoMs] = [bares, pings, echoes].map(median);
      const longestMs = Math.max(...pings);
      [bares, pings, echoes] = [[], [], []];
      return { bareMs, pingMs, echoMs, longestMs, pingTimes: pingMs / bareMs, echoTimes: echoMs / bareMs };
    },
    async stop() {
      clearInterval(timer);
      client.close();
      socket.close();
      await bare.stop();
    },
  };
}
