import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type HostTool, HostToolError, type HostToolsEndpoint } from '../../ports/host-tools.js';
import type { Log } from '../../ports/log.js';
import { VERSION } from '../../version.js';

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

/** Each request stands for itself: there is nothing to remember between two of them. */
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
  const server = serverOf(tools);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  // The transport's own types do not take members that may be undefined.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(request, response, body);
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

function serverOf(tools: readonly HostTool[]): Server {
  const server = new Server({ name: 'moorage', version: VERSION }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema, isReadOnly }) => ({
      name,
      description,
      inputSchema: inputSchema as { type: 'object'; properties: Record<string, object> },
      annotations: { readOnlyHint: isReadOnly },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) return failure(`there is no tool "${params.name}"`);
    try {
      return { content: [{ type: 'text' as const, text: await tool.call(params.arguments ?? {}) }] };
    } catch (error) {
      if (error instanceof HostToolError) return failure(error.message);
      throw error;
    }
  });
  return server;
}

function failure(text: string) {
  return { content: [{ type: 'text' as const, text }], isError: true };
}
