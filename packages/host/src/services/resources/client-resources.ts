import {
  AhpErrorCodes,
  JsonRpcErrorCodes,
  lenient,
  RequestAbandonedError,
  RpcError,
  requests,
  type ServerCommandMap,
  type URI,
} from '@moorage/protocol';
import { isKind } from '../../core/channel.js';
import type { ReadingDoor } from '../../core/door-parts.js';
import { invalidParams } from '../../core/errors.js';
import { CLIENT_ANSWER_MS, MAX_ERROR_CHARS } from './limits.js';

/** The connection to clients. A request rejects if the client is not connected or does not answer in time. */
export interface ClientLink {
  isConnected(clientId: string): boolean;
  request(clientId: string, method: string, params: object, timeoutMs: number): Promise<unknown>;
  notify(clientId: string, method: string, params: object): void;
}

/** Resources that clients publish: the host passes requests on to the publishing client (B-292, OQ-96). */
export class ClientResources {
  readonly #door: ReadingDoor;
  readonly link: ClientLink;

  constructor(door: ReadingDoor, link: ClientLink) {
    this.#door = door;
    this.link = link;
  }

  /** Asks the client that publishes a URI. Its answer is validated: it is as untrusted as any other input. */
  async ask<M extends keyof ServerCommandMap>(
    method: M,
    uri: URI,
    params: ServerCommandMap[M]['params'],
  ): Promise<ServerCommandMap[M]['result']> {
    const clientId = this.publisherOf(uri);
    return this.askClient(clientId, method, uri, params);
  }

  async askClient<M extends keyof ServerCommandMap>(
    clientId: string,
    method: M,
    uri: URI,
    params: ServerCommandMap[M]['params'],
  ): Promise<ServerCommandMap[M]['result']> {
    let answer: unknown;
    try {
      answer = await this.link.request(clientId, method, params, CLIENT_ANSWER_MS);
    } catch (error) {
      throw forwardedError(error, method, uri);
    }
    const validator = lenient(requests[method].result);
    if (validator.check(answer)) return answer as ServerCommandMap[M]['result'];
    throw new RpcError(JsonRpcErrorCodes.InternalError, `the client that publishes ${uri} gave an invalid answer`);
  }

  /** Subscribes to a channel that a client created for the host (OQ-15). */
  async subscribe(clientId: string, uri: URI, channel: URI): Promise<void> {
    try {
      await this.link.request(clientId, 'subscribe', { channel }, CLIENT_ANSWER_MS);
    } catch (error) {
      throw forwardedError(error, 'subscribe', uri);
    }
  }

  /** The client whose customizations contain the URI or a folder above it, or that a `virtual:` URI names. */
  publisherOf(uri: URI): string {
    if (!mayBeOfClient(uri)) throw unsupported();
    const clientId = this.#declaredBy(uri) ?? authorityOf(uri);
    if (clientId !== undefined && this.link.isConnected(clientId)) return clientId;
    if (!/^virtual:/i.test(uri)) throw unsupported();
    throw new RpcError(AhpErrorCodes.NotFound, `no connected client publishes ${uri}`);
  }

  #declaredBy(uri: URI): string | undefined {
    for (const channel of this.#door.channels.values()) {
      if (!isKind(channel, 'session')) continue;
      const client = channel.state.activeClients.find(({ customizations }) =>
        customizations?.some((published) => isBelow(uri, published.uri)),
      );
      if (client) return client.clientId;
    }
    return undefined;
  }
}

/** Whether a URI can belong to a client at all. */
export function mayBeOfClient(uri: URI): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  return scheme !== undefined && !HOST_SCHEMES.test(scheme);
}

/** Schemes that never belong to a client, whatever it claims. */
const HOST_SCHEMES = /^(file|ahp-.*|mcp|https?|data)$/;

function isBelow(uri: URI, published: URI): boolean {
  if (uri.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return false; // dot segments could lead out of it
  return uri === published || uri.startsWith(published.endsWith('/') ? published : `${published}/`);
}

/** `virtual://<client>/...` (B-232). */
function authorityOf(uri: URI): string | undefined {
  const authority = /^virtual:\/\/([^/?#]+)/i.exec(uri)?.[1];
  try {
    return authority === undefined ? undefined : decodeURIComponent(authority);
  } catch {
    return undefined;
  }
}

function unsupported(): RpcError {
  return invalidParams('params/uri: expected a "file:" URI, or one that a connected client publishes');
}

/** Passes a client's error on if it has a known code. */
function forwardedError(error: unknown, method: string, uri: URI): RpcError {
  if (error instanceof RpcError && FORWARDED_CODES.has(error.code)) {
    return new RpcError(error.code, error.message.slice(0, MAX_ERROR_CHARS), { data: error.data });
  }
  if (error instanceof RpcError && error.code === JsonRpcErrorCodes.MethodNotFound) {
    return new RpcError(AhpErrorCodes.NotFound, `the client that publishes ${uri} does not serve "${method}"`);
  }
  const why =
    error instanceof RequestAbandonedError ? `did not answer within ${CLIENT_ANSWER_MS} ms` : 'could not serve it';
  return new RpcError(JsonRpcErrorCodes.InternalError, `the client that publishes ${uri} ${why}`, { cause: error });
}

const FORWARDED_CODES: ReadonlySet<number> = new Set([
  JsonRpcErrorCodes.InvalidParams,
  AhpErrorCodes.NotFound,
  AhpErrorCodes.PermissionDenied,
  AhpErrorCodes.AlreadyExists,
  AhpErrorCodes.Conflict,
]);
