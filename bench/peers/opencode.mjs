import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { envOf, freePort, startUntil } from './children.mjs';
import { peerBin } from './install.mjs';

export const opencode = {
  name: 'opencode',
  async start({ home, work, modelUrl }) {
    const port = await freePort();
    const args = ['serve', '--port', String(port), '--hostname', '127.0.0.1'];
    const env = opencodeEnv(home, modelUrl);
    const program = await startUntil((line) => line.includes('listening on'), peerBin('opencode'), args, {
      cwd: work,
      env,
    });
    return { ...program, connect: () => connectTo(`http://127.0.0.1:${port}`) };
  },
};

/** Its own home, with one model and everything allowed; nothing is fetched from elsewhere. */
export function opencodeEnv(home, modelUrl) {
  const folder = join(home, '.config', 'opencode');
  mkdirSync(folder, { recursive: true });
  const models = { 'bench-model': { name: 'Bench', tool_call: true, limit: { context: 128_000, output: 8000 } } };
  const bench = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Bench',
    options: { baseURL: modelUrl, apiKey: 'none' },
    models,
  };
  const config = {
    ...{ autoupdate: false, share: 'disabled', model: 'bench/bench-model', small_model: 'bench/bench-model' },
    ...{ permission: { edit: 'allow', bash: 'allow' }, enabled_providers: ['bench'], provider: { bench } },
  };
  writeFileSync(join(folder, 'opencode.json'), JSON.stringify(config));
  const off = ['MODELS_FETCH', 'AUTOUPDATE', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS'];
  return envOf(home, Object.fromEntries(off.map((name) => [`OPENCODE_DISABLE_${name}`, '1'])));
}

async function connectTo(url) {
  let bytes = 0;
  const stop = new AbortController();
  const listeners = new Set();
  const response = await fetch(`${url}/event`, { signal: stop.signal });
  let isConnected = () => {};
  const connected = new Promise((resolve) => {
    isConnected = resolve;
  });
  void readEvents(
    response,
    (size) => (bytes += size),
    (event) => {
      if (event.type === 'server.connected') isConnected();
      for (const listener of listeners) listener(event);
    },
  ).catch(() => {}); // it was closed
  await connected;
  const call = async (method, path, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const messagesOf = (session) => call('GET', `/session/${session}/message`);
  return {
    bytes: () => bytes,
    newSession: async () => (await call('POST', '/session', {})).id,
    say(session, text, onText = () => {}) {
      const began = performance.now();
      let firstMs;
      const parts = new Map();
      return new Promise((resolve, reject) => {
        const listener = ({ type, properties }) => {
          if (properties.sessionID !== session && properties.part?.sessionID !== session) return;
          if (type === 'message.part.delta' && properties.field === 'text') {
            firstMs ??= performance.now() - began;
            onText(properties.delta);
          } else if (type === 'message.part.updated') parts.set(properties.part.id, properties.part);
          else if (type === 'session.error') reject(new Error(JSON.stringify(properties)));
          else if (type === 'session.idle') {
            listeners.delete(listener);
            resolve({ firstMs: firstMs ?? performance.now() - began, endMs: performance.now() - began });
          }
        };
        listeners.add(listener);
        call('POST', `/session/${session}/prompt_async`, { parts: [{ type: 'text', text }] }).catch(reject);
      });
    },
    fill: () => call('POST', '/session', {}),
    follow: async (session) => void (await messagesOf(session)),
    list: async () => (await call('GET', '/session?limit=10000')).length,
    async open(session) {
      const messages = await messagesOf(session);
      const texts = messages.filter(({ info }) => info.role === 'assistant').flatMap(({ parts }) => parts);
      return texts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
    },
    /** It announces the changes of a session; some versions only with the next answer, so it is asked as well. */
    async changes(session, file, ended) {
      await ended;
      for (;;) {
        const [first] = await messagesOf(session);
        const diff = await call('GET', `/session/${session}/diff?messageID=${first.info.id}`);
        if (diff.some((each) => (each.file ?? each.path ?? '').endsWith(file))) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    async revert(session) {
      const [first] = await messagesOf(session);
      await call('POST', `/session/${session}/revert`, { messageID: first.info.id });
    },
    undo: (session) => call('POST', `/session/${session}/unrevert`, {}),
    close: () => stop.abort(),
  };
}

async function readEvents(response, count, onEvent) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body) {
    count(chunk.length);
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('data:')) onEvent(JSON.parse(line.slice(5)));
  }
}
