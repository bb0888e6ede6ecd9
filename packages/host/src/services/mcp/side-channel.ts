import { type AhpMcpUiHostCapabilities, JsonRpcErrorCodes, RpcError, type URI } from '@moorage/protocol';
import { Delivery } from '../../core/delivery.js';
import type { CommittingDoor } from '../../core/door-parts.js';
import type { Log } from '../../ports/log.js';
import { McpError } from '../../ports/mcp.js';
import type { ServerList } from './changed-lists.js';
import { MAX_SIDE_REQUESTS } from './limits.js';
import { readSampling, sampleResult } from './sampling.js';
import type { ServerRun } from './server-run.js';

type Params = Readonly<Record<string, unknown>>;
type Flag = keyof AhpMcpUiHostCapabilities;

/** The capability that each served method needs (B-248). No other method is served. */
const SERVED: Readonly<Record<string, Flag>> = {
  'tools/list': 'serverTools',
  'tools/call': 'serverTools',
  'resources/list': 'serverResources',
  'resources/templates/list': 'serverResources',
  'resources/read': 'serverResources',
  'logging/setLevel': 'logging',
  'sampling/createMessage': 'sampling',
};

/** The `mcp://` channels, which pass requests of MCP Apps in clients on to their servers. */
export class SideChannels {
  readonly #door: CommittingDoor;
  readonly #log: Log;
  readonly #runs = new Map<URI, ServerRun>();
  readonly #requestCounts = new Map<URI, number>();

  constructor(door: CommittingDoor, log: Log) {
    this.#door = door;
    this.#log = log;
  }

  /** A server's channel has changed or is gone: subscriptions to the old one end. */
  follow(run: ServerRun): void {
    for (const [uri, known] of this.#runs) {
      if (known !== run || uri === run.channel) continue;
      this.#runs.delete(uri);
      this.#door.subscriptions.removeChannel(uri);
    }
    if (run.channel !== undefined) this.#runs.set(run.channel, run);
  }

  has(uri: URI): boolean {
    return this.#runs.has(uri);
  }

  /** Passes a request on to the server, and its result or error back (OQ-74). */
  async request(uri: URI, method: string, given: Params): Promise<unknown> {
    const run = this.#runs.get(uri);
    const flag = Object.hasOwn(SERVED, method) ? SERVED[method] : undefined;
    if (!run || !flag || !run.capabilities?.[flag]) throw notServed(method, uri);
    const underWay = this.#requestCounts.get(uri) ?? 0;
    if (underWay >= MAX_SIDE_REQUESTS) {
      throw new RpcError(
        JsonRpcErrorCodes.InvalidRequest,
        `${MAX_SIDE_REQUESTS} requests are already under way; wait for one to finish`,
      );
    }
    this.#requestCounts.set(uri, underWay + 1);
    try {
      const params = forServer(given);
      return flag === 'sampling' ? await this.#sample(run, params) : await run.request(method, params);
    } catch (error) {
      throw asRpcError(error, method, uri);
    } finally {
      const left = (this.#requestCounts.get(uri) ?? 1) - 1;
      if (left > 0) this.#requestCounts.set(uri, left);
      else this.#requestCounts.delete(uri);
    }
  }

  /** Writes what an App logs to the host's log, marked as the App's words. */
  notification(uri: URI, method: string, { level, data }: Params): void {
    const run = this.#runs.get(uri);
    if (method !== 'notifications/message' || !run?.capabilities?.logging) return;
    const said = (typeof data === 'string' ? data : JSON.stringify(data ?? '')).slice(0, MAX_LOGGED_CHARS);
    this.#log.write('debug', 'mcp.app-message', 'an MCP App wrote to the log', {
      server: run.declaration.name,
      level: String(level).slice(0, 20),
      said,
    });
  }

  listChanged(run: ServerRun, list: ServerList): void {
    const { channel, capabilities } = run;
    const flag = list === 'tools' ? capabilities?.serverTools : capabilities?.serverResources;
    if (channel === undefined || !flag?.listChanged) return;
    const message = { jsonrpc: '2.0', method: `notifications/${list}/list_changed`, params: { channel } };
    const delivery = new Delivery([{ frame: JSON.stringify(message) }]);
    for (const subscriber of [...this.#door.subscriptions.of(channel)]) subscriber.deliver(delivery);
  }

  async #sample({ sample }: ServerRun, params: Params): Promise<object> {
    if (!sample) throw new RpcError(JsonRpcErrorCodes.MethodNotFound, 'no model is available here');
    return sampleResult(await sample(readSampling(params), AbortSignal.timeout(SAMPLE_MS)));
  }
}

/**
 * Removes the channel, which is the host's, and the progress token: progress is not passed on, and the token could be
 * another call's.
 */
function forServer({ channel: _channel, _meta, ...params }: Params): Params {
  if (typeof _meta !== 'object' || _meta === null) return params;
  const { progressToken: _token, ...meta } = _meta as Params;
  return { ...params, _meta: meta };
}

function notServed(method: string, uri: URI): RpcError {
  return new RpcError(JsonRpcErrorCodes.MethodNotFound, `"${method}" is not served on ${uri}`);
}

function asRpcError(error: unknown, method: string, uri: URI): unknown {
  if (!(error instanceof McpError)) return error;
  const { failure, message } = error;
  if (failure.kind === 'refused') return new RpcError(failure.code, message, { data: failure.data, cause: error });
  if (failure.kind === 'closed') return notServed(method, uri);
  return new RpcError(JsonRpcErrorCodes.InternalError, `The MCP server failed: ${message}`, { cause: error });
}

/** Milliseconds for one answer of a model, and UTF-16 units of one log line of an App. */
const SAMPLE_MS = 5 * 60_000;
const MAX_LOGGED_CHARS = 500;
