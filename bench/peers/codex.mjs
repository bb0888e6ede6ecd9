import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { envOf, freePort, startUntil } from './children.mjs';
import { peerBin } from './install.mjs';

export const codex = {
  name: 'codex',
  async start({ home, work, modelUrl }) {
    const url = `ws://127.0.0.1:${await freePort()}`;
    const env = codexEnv(home, modelUrl);
    const args = ['app-server', '--listen', url];
    const program = await startUntil((line) => line.includes('listening on'), peerBin('codex'), args, {
      cwd: work,
      env,
    });
    return { ...program, connect: () => connectTo(url, work) };
  },
  cannot: {
    revert: 'thread/revert takes back messages, not files',
    undo: 'there is nothing to undo',
  },
};

/** Its own home, with one model under a name whose tools codex knows; everything allowed. */
export function codexEnv(home, modelUrl) {
  const folder = join(home, '.codex');
  mkdirSync(folder, { recursive: true });
  const lines = [
    'model = "gpt-5.5"',
    'model_provider = "bench"',
    'check_for_update_on_startup = false',
    '[model_providers.bench]',
    'name = "Bench"',
    `base_url = "${modelUrl}"`,
    'env_key = "BENCH_KEY"',
    'wire_api = "responses"',
    'requires_openai_auth = false',
    '[analytics]',
    'enabled = false',
    '[feedback]',
    'enabled = false',
  ];
  writeFileSync(join(folder, 'config.toml'), lines.join('\n'));
  return envOf(home, { CODEX_HOME: folder, BENCH_KEY: 'none' });
}

async function connectTo(url, work) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  let bytes = 0;
  let asked = 0;
  const waiting = new Map();
  const listeners = new Set();
  socket.on('message', (data) => {
    bytes += data.length;
    const message = JSON.parse(data);
    if (message.method) for (const listener of listeners) listener(message);
    else waiting.get(message.id)?.(message);
  });
  const call = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result);
      });
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  await call('initialize', { clientInfo: { name: 'bench', title: 'bench', version: '1' } });
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'initialized' }));
  const client = {
    bytes: () => bytes,
    /** A thread is listed once it has a turn. */
    fill: async () => client.say(await client.newSession(), 'pieces 1'),
    newSession: async () =>
      (await call('thread/start', { cwd: work, approvalPolicy: 'never', sandbox: 'danger-full-access' })).thread.id,
    say(threadId, text, onText = () => {}) {
      const began = performance.now();
      let firstMs;
      return new Promise((resolve, reject) => {
        const listener = ({ method, params }) => {
          if (params?.threadId !== threadId) return;
          if (method === 'item/agentMessage/delta') {
            firstMs ??= performance.now() - began;
            onText(params.delta);
          } else if (method === 'turn/completed') {
            listeners.delete(listener);
            if (params.turn.status === 'failed') reject(new Error(JSON.stringify(params.turn.error)));
            else resolve({ firstMs, endMs: performance.now() - began });
          }
        };
        listeners.add(listener);
        call('turn/start', { threadId, input: [{ type: 'text', text, text_elements: [] }] }).catch(reject);
      });
    },
    follow: async (threadId) => void (await call('thread/resume', { threadId })),
    async list() {
      let count = 0;
      let cursor = null;
      do {
        const page = await call('thread/list', { limit: 100, cursor, modelProviders: [], sourceKinds: ALL_SOURCES });
        count += page.data.length;
        cursor = page.nextCursor;
      } while (cursor);
      return count;
    },
    async open(threadId) {
      const { thread } = await call('thread/read', { threadId, includeTurns: true });
      const items = thread.turns.flatMap((turn) => turn.items);
      return items.reduce((sum, item) => sum + (item.type === 'agentMessage' ? item.text.length : 0), 0);
    },
    changes(threadId, file) {
      return new Promise((resolve) => {
        listeners.add(({ method, params }) => {
          if (method === 'turn/diff/updated' && params.threadId === threadId && params.diff.includes(file)) resolve();
        });
      });
    },
    close: () => socket.close(),
  };
  return client;
}

const ALL_SOURCES = ['cli', 'vscode', 'exec', 'appServer', 'unknown'];
