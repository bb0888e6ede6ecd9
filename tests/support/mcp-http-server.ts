import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

/** What the next tool call is met with. */
type Mood = 'serves' | 'wantsMore' | 'forgets';

/** A real MCP server behind HTTP that wants a bearer token, and says where tokens come from (RFC 9728). */
export class ProtectedServer {
  readonly tokens = new Set<string>();
  /** The Authorization headers that came, and all other headers. */
  readonly seen: (string | undefined)[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  /** What it claims to be in its metadata; its own address unless said otherwise. */
  claims: string | undefined;
  mood: Mood = 'serves';
  readonly #sessions = new Map<string, StreamableHTTPServerTransport>();
  readonly #http: Server;
  #port = 0;

  static async start(): Promise<ProtectedServer> {
    const server = new ProtectedServer();
    await new Promise<void>((resolve) => server.#http.listen(0, '127.0.0.1', resolve));
    server.#port = (server.#http.address() as AddressInfo).port;
    return server;
  }

  constructor() {
    this.#http = createServer((request, response) => void this.#serve(request, response));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  async close(): Promise<void> {
    for (const transport of this.#sessions.values()) await transport.close();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      const about = {
        resource: this.claims ?? this.url,
        resource_name: 'Notes',
        authorization_servers: ['https://login.example.com'],
        scopes_supported: ['read', 'write'],
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(about));
      return;
    }
    const { authorization } = request.headers;
    this.seen.push(authorization);
    this.headers.push(request.headers);
    const metadata = `resource_metadata="${this.origin}/.well-known/oauth-protected-resource/mcp"`;
    if (!this.tokens.has(authorization?.replace('Bearer ', '') ?? '')) {
      response.writeHead(401, { 'www-authenticate': `Bearer ${metadata}, scope="read"` }).end();
      return;
    }
    const body = request.method === 'POST' ? JSON.parse(await textOf(request)) : undefined;
    const isCall = body?.method === 'tools/call';
    if (isCall && this.mood === 'wantsMore') {
      const wants = `Bearer error="insufficient_scope", scope="read write", ${metadata}`;
      response.writeHead(403, { 'www-authenticate': wants }).end();
      return;
    }
    if (isCall && this.mood === 'forgets') {
      this.mood = 'serves';
      this.#sessions.clear();
    }
    await this.#pass(request, response, body);
  }

  async #pass(
    request: IncomingMessage,
    response: ServerResponse,
    body: { method?: string } | undefined,
  ): Promise<void> {
    const known = this.#sessions.get(String(request.headers['mcp-session-id']));
    if (known) return known.handleRequest(request, response, body);
    if (body?.method !== 'initialize') {
      response.writeHead(404).end();
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, transport),
    });
    const server = new McpServer({ name: 'notes', version: '1' });
    const about = {
      description: 'Adds a note',
      inputSchema: { text: z.string() },
      annotations: { readOnlyHint: true },
    };
    server.registerTool('note', about, ({ text }) => ({ content: [{ type: 'text', text: `noted ${text}` }] }));
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, body);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
