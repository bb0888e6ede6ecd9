import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { connect } from '@moorage/client';
import { MODEL } from './model.mjs';

const BIN = fileURLToPath(new URL('../../packages/cli/bin/moorage.js', import.meta.url));

/** `moorage serve` with its own agent, and a client on a socket. */
export async function startOurs({ home, folder, baseURL }) {
  mkdirSync(home, { recursive: true });
  const config = join(home, 'config.json');
  const agents = { bench: { type: 'model', api: 'openai', baseURL, models: [MODEL] } };
  writeFileSync(config, JSON.stringify({ agents }));
  const args = ['serve', '--port', '0', '--json', '--no-web', '--config', config, '--data-dir', join(home, 'data')];
  const child = spawn(process.execPath, [process.env.MOORAGE_BIN ?? BIN, ...args, '--root', folder], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, token } = JSON.parse(line);
  let client;
  let turns = 0;
  return {
    pid: child.pid,
    /** The socket counts, not the client library. */
    async session() {
      client ??= await connect({ url, token });
      const session = `ahp-session:/${crypto.randomUUID()}`;
      const workingDirectories = [pathToFileURL(folder).href];
      await client.request('createSession', { channel: session, provider: 'bench', workingDirectories });
      const mirror = await client.session(session);
      await until(mirror, () => mirror.confirmed.lifecycle === 'ready');
      return client.chat(mirror.confirmed.defaultChat);
    },
    async turn(chat, text) {
      const turnId = `turn-${++turns}`;
      const started = performance.now();
      let firstMs;
      const stop = chat.onAction(({ action }) => {
        if (action.type === 'chat/responsePart' || action.type === 'chat/delta') firstMs ??= performance.now() - started;
      });
      const message = { text, origin: { kind: 'user' } };
      await chat.dispatch({ type: 'chat/turnStarted', turnId, message, startedAt: new Date().toISOString() });
      await until(chat, () => chat.confirmed.turns.some(({ id }) => id === turnId));
      stop?.();
      return { firstMs, endMs: performance.now() - started };
    },
    async stop() {
      client?.close();
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

function until(mirror, isTrue) {
  return new Promise((resolve) => {
    const check = () => {
      if (!isTrue()) return;
      stop();
      resolve();
    };
    const stop = mirror.subscribe(check);
    check();
  });
}
