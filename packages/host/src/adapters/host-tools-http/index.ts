import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostTool, HostToolsEndpoint } from '../../ports/host-tools.js';
import type { Log } from '../../ports/log.js';

/** Bytes of a request: a message to another session is far shorter. */
const MAX_BODY_BYTES = 256 * 1024;

/** Serves the tools of the host over MCP on loopback, for whoever has the secret of a session. */
export async function httpHostTools(log: Log): Promise<HostToolsEndpoint> {
  let toolsFor: Parameters<HostToolsEndpoint['serve']>[0] = () => undefined;
  const http = createServer((request, response) => {
    answer(request, response, toolsFor).catch((error: unknown) => {
      log.write('error', 'host.tool-failed', 'a call of a tool of the host failed', { error: String(error) });
      if (!response.headersSent) response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(0, '127.0.0.1', resolve);
  });
  http.unref();
  const { port } = http.address() as AddressInfo;
  return {
    launchFor: (secret) => ({
      kind: 'http',
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { Authorization: `Bearer ${secret}` },
    }),
    serve: (tools) => {
      toolsFor = tools;
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  toolsFor: (secret: string) => readonly HostTool[] | undefined,
): Promise<void> {
  const secret = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const tools = secret === undefined ? undefined : toolsFor(secret);
  if (!tools) {
    response.writeHead(401).end();
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(405, { Allow: 'POST' }).end();
    return;
  }
  const body = await bodyOf(request);
  if (body === undefined) {
    response.writeHead(400).end();
    return;
  }
  // With the first request: the SDK is a third of all that a host would load at its start.
  const { answerOverMcp } = await import('./mcp-server.js');
  await answerOverMcp(tools, request, response, body);
}

/** Undefined for what is too long, or no JSON. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
