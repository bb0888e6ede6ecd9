// A client in a process of its own that asks `ping` again and again, and knows how long the slowest answer took.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@moorage/client';
import { answerParent } from './child.mjs';

const PAUSE_MS = 2;

let longest = 0;
let isPinging = false;

answerParent(0, {
  async start({ url, token }) {
    const client = await connect({ url, token, liveness: false });
    longest = 0;
    isPinging = true;
    void pingAll(client);
  },
  stop() {
    isPinging = false;
    return longest;
  },
});

async function pingAll(client) {
  while (isPinging) {
    const started = performance.now();
    await client.request('ping', { channel: 'ahp-root://' });
    longest = Math.max(longest, performance.now() - started);
    await sleep(PAUSE_MS);
  }
  client.close();
}
