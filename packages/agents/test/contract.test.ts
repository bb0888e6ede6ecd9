import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describeAgent } from '@moorage/host/testing';
import { AcpProvider } from '../src/acp/provider.js';
import { DemoProvider } from '../src/demo/provider.js';
import { modelAgent } from '../src/model/index.js';

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const SAY = { message: '/say hello', answer: 'hello' };

for (const isolation of ['none', 'process'] as const) {
  describeAgent(`demo, isolation ${isolation}`, () => ({
    provider: new DemoProvider({ isolation }, { script: program('../dist/demo/process/child.js') }),
    brief: SAY,
    asks: { message: '/ask Name?\n/say after', reply: 'Ada', answer: 'Ada' },
    endless: { message: '/say waiting\n/wait 86400000', start: 'waiting' },
  }));
}

describeAgent('acp', () => ({
  provider: new AcpProvider({ id: 'scripted', command: process.execPath, args: [program('./acp/scripted-agent.mjs')] }),
  brief: SAY,
  endless: { message: '/stream', start: 'word2' },
}));

describeAgent('model', async () => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => answer(response, /"content":"endless"[^"]*\}\]/.test(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    provider: modelAgent({ id: 'model', api: 'openai', baseURL: `http://127.0.0.1:${port}/v1`, models: ['fake'] }),
    brief: { message: 'brief', answer: 'hello' },
    endless: { message: 'endless', start: 'hello' },
    cleanup: () => {
      server.closeAllConnections();
      server.close();
    },
  };
});

/** A model that has one word to say, and then is done, or is not. */
function answer(response: ServerResponse, isEndless: boolean): void {
  const say = (delta: object, finish_reason: string | null) =>
    response.write(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  say({ role: 'assistant', content: 'hello' }, null);
  if (isEndless) return;
  say({}, 'stop');
  response.end('data: [DONE]\n\n');
}
