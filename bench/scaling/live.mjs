import { ourCost, startHost } from '../host/fan-out.mjs';
import { startChild } from '../host/processes.mjs';
import { atSizes, best } from './best.mjs';

/** Subscribers, connected clients, sessions that are in use. */
export function live() {
  const sizes = [10, 50, 200, 500];
  const actions = 1_000;
  return [
    row('subscribers of a chat: an action, processor time', 1, sizes, async (size) => {
      const costs = [await ourCost(size, actions), await ourCost(size, actions)];
      return Math.min(...costs.map(({ microseconds }) => microseconds)) / 1000 / actions;
    }),
    row('clients that listen elsewhere: dispatch to echo', 0, sizes, (size) =>
      echo(async (host) => {
        const others = await startChild('./readers.mjs');
        await others.ask('connect', { port: host.host.port, count: size, channel: await newChat(host) });
        return others;
      }),
    ),
    row('sessions in use: dispatch to echo', 0, sizes, (size) =>
      echo(async ({ client }) => {
        for (let index = 0; index < size; index++) {
          const session = `ahp-session:/${crypto.randomUUID()}`;
          await client.request('createSession', { channel: session });
          await client.session(session);
        }
      }),
    ),
  ];
}

function row(name, growsAtMost, sizes, cost) {
  return { name: `scaling with ${name}`, growsAtMost, grow: () => atSizes(sizes, cost) };
}

async function newChat({ client }) {
  const session = `ahp-session:/${crypto.randomUUID()}`;
  await client.request('createSession', { channel: session });
  return (await client.session(session)).confirmed.defaultChat;
}

async function echo(prepare) {
  const host = await startHost();
  const others = await prepare(host);
  const mirror = await host.client.session(host.session);
  let round = 0;
  const ms = await best(300, () => mirror.dispatch({ type: 'session/titleChanged', title: `title ${round++}` }));
  host.client.close();
  await others?.stop();
  await host.host.stop();
  return ms;
}
