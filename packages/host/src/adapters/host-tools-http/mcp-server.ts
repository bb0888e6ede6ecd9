import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type HostTool, HostToolError } from '../../ports/host-tools.js';
import { VERSION } from '../../version.js';

/** Answers one request. Each stands for itself: there is nothing to remember between two of them. */
export async function answerOverMcp(
  tools: readonly HostTool[],
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  const server = serverOf(tools);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  // The transport's own types do not take members that may be undefined.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(request, response, body);
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
