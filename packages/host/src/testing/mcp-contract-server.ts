import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpLaunch } from '../ports/mcp.js';

/** A minimal MCP server without any library, so that nothing but this script decides what it sends. */
export function scriptedServer(more: Partial<Extract<McpLaunch, { kind: 'stdio' }>> = {}): McpLaunch {
  return { kind: 'stdio', command: process.execPath, args: ['-e', SCRIPT], ...more };
}

const SCRIPT = String.raw`
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const waiting = new Map();
const ask = (method, params) => new Promise((resolve) => {
  const id = 'question-' + waiting.size;
  waiting.set(id, resolve);
  say({ id, method, params });
});
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
let capabilities;
const TOOLS = {
  echo: (given) => ({ ...text(given), structuredContent: given }),
  surroundings: () => text({ pid: process.pid, cwd: process.cwd(), env: process.env, capabilities }),
  fail: () => ({ ...text('it did not work'), isError: true }),
  refuse: ({ code }) => { throw { code, message: 'not today', data: { why: 'rain' } }; },
  ask: (given) => ask(given.method, given.params).then(text),
  change: () => (say({ method: 'notifications/tools/list_changed' }), text('changed')),
  progress: (given, meta) => (say({ method: 'notifications/progress', params: { ...meta, progress: 1, total: 2, message: 'half' } }), ask('roots/list').then(text)),
  hang: () => new Promise(() => {}),
  die: () => process.exit(7),
};
const METHODS = {
  initialize: (params) => {
    capabilities = params.capabilities;
    return { protocolVersion: params.protocolVersion, serverInfo: { name: 'scripted', version: '1' }, capabilities: { tools: { listChanged: true }, logging: {} } };
  },
  'tools/list': ({ cursor }) => {
    const names = Object.keys(TOOLS);
    const tool = (name) => ({ name, inputSchema: { type: 'object', properties: {} }, annotations: { readOnlyHint: name === 'echo' } });
    return cursor ? { tools: names.slice(2).map(tool) } : { tools: names.slice(0, 2).map(tool), nextCursor: 'the rest' };
  },
  'tools/call': ({ name, arguments: given, _meta }) => TOOLS[name](given, _meta),
  'resources/read': (params) => ({ contents: [], asked: params }),
};
const hear = async ({ id, method, params = {}, result, error }) => {
  if (method === undefined) return waiting.get(id)?.(result ?? error);
  if (method === 'notifications/cancelled') say({ method: 'notifications/resources/list_changed' });
  if (id === undefined) return;
  try {
    say({ id, result: await METHODS[method](params) });
  } catch (failure) {
    say({ id, error: { code: -32603, message: 'failed', ...failure } });
  }
};
require('node:readline').createInterface(process.stdin).on('line', (line) => hear(JSON.parse(line)));
console.log('Servers print such things, too.');
`;

/** An MCP server over HTTP that demands a token; `seen` collects the Authorization headers it got. */
export async function guardedServer(token: string) {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, headers: Record<string, string>, body?: object) =>
      response.writeHead(status, headers).end(body && JSON.stringify(body));
    if (request.method !== 'POST') return answer(request.url?.startsWith('/.well-known/') ? 404 : 405, {});
    seen.push(request.headers.authorization);
    if (request.headers.authorization !== `Bearer ${token}`) {
      return answer(401, { 'www-authenticate': 'Bearer scope="read"' });
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, params } = JSON.parse(Buffer.concat(chunks).toString());
      if (id === undefined) return answer(202, {});
      const result = {
        protocolVersion: params?.protocolVersion,
        serverInfo: { name: 'guarded', version: '1' },
        capabilities: {},
      };
      return answer(200, { 'content-type': 'application/json' }, { jsonrpc: '2.0', id, result });
    });
    return response;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
