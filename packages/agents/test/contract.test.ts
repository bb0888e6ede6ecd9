import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describeAgent } from '@moorage/host/testing';
import { AcpProvider } from '../src/acp/provider.js';
import { DemoProvider } from '../src/demo/provider.js';
import { modelAgent } from '../src/model/index.js';

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What tells that a command was allowed to run: there is nothing in the suite to run it in. */
const NO_TERMINALS = 'There are no terminals here.';
const SAY = { message: '/say hello', answer: 'hello' };

for (const isolation of ['none', 'process'] as const) {
  describeAgent(`demo, isolation ${isolation}`, () => ({
    provider: new DemoProvider({ isolation }, { script: program('../dist/demo/process/child.js') }),
    brief: SAY,
    asks: { message: '/ask Name?\n/say after', reply: 'Ada', answer: 'Ada' },
    confirms: { message: '/run make', approved: NO_TERMINALS, denied: 'Skipped: Run make (denied).' },
    spawns: { message: '/spawn /say found it', text: 'found it', answer: 'found it' },
    endless: { message: '/say waiting\n/wait 86400000', start: 'waiting' },
  }));
}

describeAgent('acp', () => ({
  provider: new AcpProvider({ id: 'scripted', command: process.execPath, args: [program('./acp/scripted-agent.mjs')] }),
  brief: SAY,
  asks: { message: '/ask Name?', reply: 'Ada', answer: 'accept Ada' },
  confirms: { message: '/write here.txt text\n/say after', approved: 'here.txt', denied: 'after' },
  // Its agents resume no turns, and start no chats of the host.
  endless: { message: '/stream', start: 'word2' },
}));

describeAgent('model', async () => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.method === 'GET') response.end(JSON.stringify({ data: [{ id: 'fake' }] }));
      else answer(response, JSON.parse(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    provider: modelAgent({ id: 'model', api: 'openai', baseURL: `http://127.0.0.1:${port}/v1`, models: ['fake'] }),
    brief: { message: 'brief', answer: 'hello' },
    endless: { message: 'endless', start: 'hello' },
    asks: { message: 'ask_user', reply: 'Ada', answer: 'Ada' },
    confirms: { message: 'run', approved: NO_TERMINALS, denied: 'The user did not allow this.' },
    spawns: { message: 'sub_agent', text: 'found it', answer: 'found it' },
    cleanup: () => {
      server.closeAllConnections();
      server.close();
    },
  };
});

/** What the model calls when the message is the name of the tool. */
const CALLS: Readonly<Record<string, object>> = {
  ask_user: { question: 'Name?' },
  run: { command: 'make' },
  sub_agent: { title: 'Look', message: 'look' },
};

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A model that calls the tool it is told to and repeats what came of it, or has one word to say, and then is done, or is not. */
function answer(response: ServerResponse, { messages }: Asked): void {
  const say = (delta: object, finish_reason: string | null) =>
    response.write(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  const last = messages.at(-1);
  const asked = last?.role === 'user' ? textIn(last.content) : '';
  const tool = Object.keys(CALLS).find((name) => asked === name);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (tool !== undefined) {
    const call = { name: tool, arguments: JSON.stringify(CALLS[tool]) };
    say({ role: 'assistant', tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: call }] }, null);
    say({}, 'tool_calls');
  } else {
    say({ role: 'assistant', content: last?.role === 'tool' ? textIn(last.content) : 'hello' }, null);
    if (asked === 'endless') return;
    say({}, 'stop');
  }
  response.end('data: [DONE]\n\n');
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return String(content);
  return content.map((part: { readonly text?: string }) => part.text ?? '').join('');
}
