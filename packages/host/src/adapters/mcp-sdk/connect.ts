import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ListToolsResultSchema,
  type Request,
  ResourceListChangedNotificationSchema,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type McpConnection, type McpConnectOptions, McpError, type McpTool } from '../../ports/mcp.js';
import { VERSION } from '../../version.js';
import { serverEnvironment } from './environment.js';
import { failureOf } from './failures.js';
import { httpTransport } from './http-transport.js';
import { CALL_MS, MAX_CALL_MS, MAX_PAGES, MAX_TOOLS, REQUEST_MS, START_MS } from './limits.js';
import { answerQuestions, capabilitiesFor } from './questions.js';
import { readResult, readTool } from './read-tools.js';
import { startServer } from './server-process.js';
import { StdioTransport } from './stdio-transport.js';

/** Starts or reaches a server and performs the handshake. */
export async function connect(
  options: McpConnectOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<McpConnection> {
  const { handlers, signal, folder } = options;
  if (signal.aborted) throw aborted();
  const transport = transportFor(options, environment);
  const client = new Client({ name: 'moorage', version: VERSION }, { capabilities: capabilitiesFor(handlers) });
  const endReason = () => (transport instanceof StdioTransport ? transport.fault : undefined);
  let isClosing = false;
  answerQuestions(client, handlers, folder);
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => handlers.listChanged('tools'));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => handlers.listChanged('resources'));
  const close = async () => {
    isClosing = true;
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined); // a client that never connected does not close its transport
  };
  const abort = () => void close();
  signal.addEventListener('abort', abort, { once: true });
  try {
    // The cast: the SDK's types do not work with exactOptionalPropertyTypes.
    await client.connect(transport as Transport, { timeout: START_MS, maxTotalTimeout: START_MS });
    if (isClosing) throw aborted();
  } catch (error) {
    const failure = signal.aborted ? aborted() : failureOf(error, endReason());
    await close();
    throw failure;
  } finally {
    signal.removeEventListener('abort', abort);
  }
  client.onclose = () => {
    if (!isClosing) handlers.closed(new McpError({ kind: 'closed' }, endReason() ?? 'the connection was closed'));
  };
  return connectionOf(client, endReason, close);
}

function transportFor(
  { launch, folder, token = () => undefined }: McpConnectOptions,
  environment: Readonly<Record<string, string | undefined>>,
): StreamableHTTPClientTransport | StdioTransport {
  if (launch.kind === 'http') return httpTransport(launch, token);
  try {
    return new StdioTransport(startServer(launch, folder, serverEnvironment(environment, launch.env)));
  } catch (cause) {
    throw new McpError({ kind: 'unreachable' }, 'it could not be run', { cause });
  }
}

function aborted(): McpError {
  return new McpError({ kind: 'closed' }, 'it is no longer needed');
}

function connectionOf(client: Client, endReason: () => string | undefined, close: () => Promise<void>): McpConnection {
  const { tools, resources, logging } = client.getServerCapabilities() ?? {};
  const withMcpErrors = async <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      if (signal?.aborted) throw new McpError({ kind: 'timeout' }, 'The request was canceled.', { cause });
      throw failureOf(cause, endReason());
    }
  };
  return {
    offers: {
      ...(tools && { tools: { listChanged: tools.listChanged === true } }),
      ...(resources && { resources: { listChanged: resources.listChanged === true } }),
      logging: logging !== undefined,
    },
    listTools: () => withMcpErrors(tools ? listTools(client) : Promise.resolve([])),
    callTool: ({ name, input, signal, onProgress }) => {
      const call = { method: 'tools/call', params: { name, arguments: { ...input } } };
      const request = client.request(call, CallToolResultSchema, {
        signal,
        timeout: CALL_MS,
        maxTotalTimeout: MAX_CALL_MS,
        resetTimeoutOnProgress: true,
        onprogress: ({ progress, total, message }) =>
          onProgress({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }),
      });
      return withMcpErrors(request.then(readResult), signal);
    },
    request: (method, params, signal) => {
      const timeout = method === 'tools/call' ? CALL_MS : REQUEST_MS;
      const request = { method, params } as Request;
      return withMcpErrors(client.request(request, ResultSchema, { timeout, ...(signal && { signal }) }), signal);
    },
    close,
  };
}

async function listTools(client: Client): Promise<readonly McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const list = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, { timeout: REQUEST_MS });
    tools.push(...list.tools.flatMap((tool) => readTool(tool) ?? []));
    cursor = list.nextCursor;
    if (cursor === undefined) break;
  }
  return tools.slice(0, MAX_TOOLS);
}
