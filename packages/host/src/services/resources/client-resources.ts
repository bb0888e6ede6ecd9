import {
  AhpErrorCodes,
  JsonRpcErrorCodes,
  lenient,
  RequestAbandonedError,
  RpcError,
  requests,
  type ServerCommandMap,
  type URI,
} from '@ahpd/protocol';
import { isKind } from '../../core/channel.js';
import type { Door } from '../../core/door.js';
import { invalidParams } from '../../core/errors.js';
import { CLIENT_ANSWER_MS, MAX_ERROR_CHARS } from './limits.js';

/** The way to a client: what it does not answer in time, or is not there to answer, rejects. */
export interface ClientLink {
  isConnected(clientId: string): boolean;
  request(clientId: string, method: string, params: object, timeoutMs: number): Promise<unknown>;
  notify(clientId: string, method: string, params: object): void;
}

/** Resources that a client publishes: whoever asks the host for one, the host asks the client (B-292, OQ-96). */
export class ClientResources {
  readonly #door: Door;
  readonly link: ClientLink;

  constructor(door: Door, link: ClientLink) {
    this.#door = door;
    this.link = link;
  }

  /** Asks the client that publishes a URI, and checks what it says: it is not trusted more than anybody else. */
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
      throw passedOn(error, method, uri);
    }
    const validator = lenient(requests[method].result);
    if (validator.check(answer)) return answer as ServerCommandMap[M]['result'];
    throw new RpcError(JsonRpcErrorCodes.InternalError, `the client that publishes ${uri} gave an invalid answer`);
  }

  /** Subscribes to a channel that a client made for the host (OQ-15). */
  async subscribe(clientId: string, uri: URI, channel: URI): Promise<void> {
    try {
      await this.link.request(clientId, 'subscribe', { channel }, CLIENT_ANSWER_MS);
    } catch (error) {
      throw passedOn(error, 'subscribe', uri);
    }
  }

  /** The client whose customizations name the URI or a folder above it, or that a `virtual:` URI names itself. */
  publisherOf(uri: URI): string {
    if (!mayBeOfClient(uri)) throw unsupported();
    const clientId = this.#declaredBy(uri) ?? authorityOf(uri);
    if (clientId !== undefined && this.link.isConnected(clientId)) return clientId;
    if (!/^virtual:/i.test(uri)) throw unsupported();
    throw new RpcError(AhpErrorCodes.NotFound, `no connected client publishes ${uri}`);
  }

  #declaredBy(uri: URI): string | undefined {
    for (const channel of this.#door.channels.values()) {
      const client = isKind(channel, 'session') ? channel.state.activeClient : undefined;
      if (client?.customizations?.some((published) => isBelow(uri, published.uri))) return client.clientId;
    }
    return undefined;
  }
}

/** Whether a client may be asked for it at all. */
export function mayBeOfClient(uri: URI): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  return scheme !== undefined && !OF_THE_HOST.test(scheme);
}

/** URIs of these schemes are never a client's, whatever it says. */
const OF_THE_HOST = /^(file|ahp-.*|mcp|https?|data)$/;

function isBelow(uri: URI, published: URI): boolean {
  if (uri.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return false; // it would lead elsewhere
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

/** What a client refused reaches who asked, as far as the table of errors knows it. */
function passedOn(error: unknown, method: string, uri: URI): RpcError {
  if (error instanceof RpcError && PASSED.has(error.code)) {
    return new RpcError(error.code, error.message.slice(0, MAX_ERROR_CHARS), { data: error.data });
  }
  if (error instanceof RpcError && error.code === JsonRpcErrorCodes.MethodNotFound) {
    return new RpcError(AhpErrorCodes.NotFound, `the client that publishes ${uri} does not serve "${method}"`);
  }
  const why =
    error instanceof RequestAbandonedError ? `did not answer within ${CLIENT_ANSWER_MS} ms` : 'could not serve it';
  return new RpcError(JsonRpcErrorCodes.InternalError, `the client that publishes ${uri} ${why}`, { cause: error });
}

const PASSED: ReadonlySet<number> = new Set([
  JsonRpcErrorCodes.InvalidParams,
  AhpErrorCodes.NotFound,
  AhpErrorCodes.PermissionDenied,
  AhpErrorCodes.AlreadyExists,
  AhpErrorCodes.Conflict,
]);
