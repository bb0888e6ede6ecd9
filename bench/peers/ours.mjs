import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { allSessions, connect, openUrl, randomId, sessionUri, when } from '@moorage/client';
import { changesetUri } from '@moorage/protocol';
import { envOf, startUntil } from './children.mjs';

const BIN = fileURLToPath(new URL('../../packages/cli/bin/moorage.js', import.meta.url));

export const ours = {
  name: 'moorage',
  async start({ home, work, modelUrl, agents = {} }) {
    mkdirSync(home, { recursive: true });
    const config = join(home, 'config.jsonc');
    const local = { type: 'model', api: 'openai', baseURL: modelUrl, models: ['bench-model'] };
    writeFileSync(config, JSON.stringify({ agents: { local, ...agents } }));
    const args = [
      BIN,
      'serve',
      '--port',
      '0',
      '--json',
      '--no-web',
      '--data-dir',
      join(home, 'data'),
      '--root',
      work,
      '--config',
      config,
    ];
    const program = await startUntil((line) => line.startsWith('{"ready":true'), process.execPath, args, {
      cwd: work,
      env: envOf(home),
    });
    const { url, token } = JSON.parse(program.line);
    return { ...program, connect: () => connectTo(url, token, work) };
  },
};

async function connectTo(url, token, work) {
  let bytes = 0;
  const transport = async () => {
    const inner = await openUrl(url, token);
    return { ...methodsOf(inner), onMessage: (listener) => inner.onMessage((text) => listener(counted(text))) };
  };
  const counted = (text) => {
    bytes += Buffer.byteLength(text);
    return text;
  };
  const client = await connect({ transport });
  const chats = new Map();
  const opened = async (session) => {
    if (!chats.has(session)) {
      const mirror = await client.session(session);
      const chat = await client.chat(await when(mirror, ({ defaultChat }) => defaultChat));
      chat.subscribe(() => {
        for (const request of chat.pendingRequests()) chat.approve(request).catch(() => {});
      });
      mirror.release();
      chats.set(session, chat);
    }
    return chats.get(session);
  };
  const create = async (provider) => {
    const session = sessionUri.format(randomId());
    const workingDirectories = [pathToFileURL(work).href];
    await client.request('createSession', { channel: session, provider, workingDirectories });
    return session;
  };
  const changesOf = (session) => changesetUri(session, { kind: 'session' });
  return {
    bytes: () => bytes,
    async newSession(provider = 'local') {
      const session = await create(provider);
      await opened(session);
      return session;
    },
    async say(session, text, onText = () => {}) {
      const chat = await opened(session);
      const began = performance.now();
      let firstMs;
      const turn = await new Promise((resolve, reject) => {
        const stop = chat.onAction(({ action }) => {
          if (
            action.type === 'chat/delta' ||
            (action.type === 'chat/responsePart' && action.part.kind === 'markdown')
          ) {
            firstMs ??= performance.now() - began;
            onText(action.content ?? action.part.content);
          }
          if (/^chat\/(turnComplete|turnCancelled|error)$/.test(action.type)) {
            stop();
            if (action.type === 'chat/turnComplete') resolve({ firstMs, endMs: performance.now() - began });
            else reject(new Error(JSON.stringify(action)));
          }
        });
        chat.send(text).catch(reject);
      });
      return turn;
    },
    /** One more session to be listed. */
    fill: () => create('local'),
    /** Follows what others do in it. */
    async follow(session) {
      await opened(session);
    },
    list: async () => (await allSessions(client)).length,
    /** The whole conversation; its length in characters of text. */
    async open(session) {
      const chat = await opened(session);
      const { turns, activeTurn } = chat.confirmed;
      const text = [...turns, ...(activeTurn ? [activeTurn] : [])].flatMap(({ responseParts }) => responseParts);
      return text.reduce((sum, part) => sum + (part.kind === 'markdown' ? part.content.length : 0), 0);
    },
    /** Resolves once the changed file is shown with its counts; call it before the turn. */
    async changes(session, file) {
      const mirror = await client.changeset(changesOf(session));
      await new Promise((resolve) => {
        const look = () =>
          mirror.confirmed.files.some(({ id, edit }) => id.endsWith(file) && edit?.diff !== undefined) && resolve();
        mirror.subscribe(look);
        look();
      });
    },
    revert: (session) =>
      client.request('invokeChangesetOperation', { channel: changesOf(session), operationId: 'revert' }),
    undo: (session) => client.request('invokeChangesetOperation', { channel: changesOf(session), operationId: 'undo' }),
    close: () => client.close(),
  };
}

function methodsOf(transport) {
  return Object.fromEntries(
    ['send', 'close', 'onMessage', 'onClose'].map((name) => [name, (...args) => transport[name](...args)]),
  );
}
