import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ActionOf } from '@moorage/protocol';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import type { FakeHost } from './support/fake-host.js';
import { fakeHost } from './support/rig.js';
import { CHAT, chatState, sessionState } from './support/samples.js';
import { webSocketServer } from './support/socket-server.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

it('has an example that runs', async () => {
  const host = fakeHost();
  actAsDemoAgent(host);
  const server = await webSocketServer(host);
  const folder = await mkdtemp(join(tmpdir(), 'ahp-readme-'));
  try {
    const example = /```js\n([\s\S]*?)```/.exec(await readFile(here('../README.md'), 'utf8'))?.[1] ?? '';
    const outfile = join(folder, 'example.mjs');
    await build({
      stdin: { contents: example, resolveDir: here('..') },
      alias: { '@moorage/client': here('../src/index.ts') },
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
      outfile,
    });
    const env = { ...process.env, AHP_URL: server.url, MOORAGE_TOKEN: 'secret' };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [outfile], { env, timeout: 30_000 });
    expect(stdout).toBe('Hello from the demo agent\n');
    expect(stderr.trim()).toBe('closed');
    expect(server.upgrades[0]?.headers.authorization).toBe('Bearer secret');
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});

/** As much of an agent as the example needs. */
function actAsDemoAgent(host: FakeHost): void {
  host.add(CHAT, 'chat', chatState());
  host.onRequest = (method, params) => {
    if (method !== 'createSession') return undefined;
    const uri = String(params.channel);
    host.add(uri, 'session', sessionState({ lifecycle: 'creating' }));
    setTimeout(() => host.emit(uri, { type: 'session/defaultChatChanged', defaultChat: CHAT }), 20);
    return Promise.resolve(null);
  };
  host.decide = ({ action }) => {
    if (action.type === 'chat/turnStarted') {
      const { turnId, message } = action;
      const emit = (next: ActionOf<'chat'>) => host.emit(CHAT, next);
      setTimeout(() => {
        emit({ type: 'chat/responsePart', turnId, part: { kind: 'markdown', id: 'p', content: '' } });
        for (const word of message.text.replace('/say ', '').split(/(?= )/)) {
          emit({ type: 'chat/delta', turnId, partId: 'p', content: word });
        }
        emit({ type: 'chat/turnComplete', turnId, duration: 20 });
      }, 20);
    }
    return 'accept';
  };
}
