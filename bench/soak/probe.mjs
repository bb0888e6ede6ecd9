import { connect } from '@ahpd/client';
import { median } from '../lib/fit.mjs';

/** A quiet client beside the crowd: how long the host takes to answer, and to store an action and tell of it. */
export async function startProbe({ url, token }) {
  const client = await connect({ url, token });
  const session = `ahp-session:/${crypto.randomUUID()}`;
  await client.request('createSession', { channel: session, provider: 'demo' });
  const mirror = await client.session(session);
  let [pings, echoes] = [[], []];
  let round = 0;
  const timer = setInterval(async () => {
    try {
      const started = performance.now();
      await client.request('ping');
      const answered = performance.now();
      await mirror.dispatch({ type: 'session/titleChanged', title: `probe ${round++}` });
      pings.push(answered - started);
      echoes.push(performance.now() - answered);
    } catch {
      // the host has ended, or takes very long: the run says so
    }
  }, 200);
  return {
    /** The medians since the last call, and the longest wait for an answer. */
    take() {
      const taken = { pingMs: median(pings), echoMs: median(echoes), longestMs: Math.max(...pings) };
      [pings, echoes] = [[], []];
      return taken;
    },
    stop() {
      clearInterval(timer);
      client.close();
    },
  };
}
