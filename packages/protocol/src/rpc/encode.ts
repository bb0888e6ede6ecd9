import type { ErrorBody } from './errors.js';
import type { RpcId } from './parse.js';

export function encodeRequest(id: RpcId, method: string, params: object | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function encodeNotification(method: string, params: object | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** A result that is JSON text already, such as stored envelopes: it is sent as it is, not parsed and written again. */
export class EncodedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Throws when the result has no JSON form; undefined counts as null. */
export function encodeSuccess(id: RpcId, result: unknown): string {
  if (result instanceof EncodedJson) return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result.text}}`;
  // On its own, because inside an object JSON.stringify silently drops a member that is a function or symbol.
  const json: string | undefined = JSON.stringify(result ?? null);
  if (json === undefined) throw new TypeError('the result has no JSON form');
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`;
}

/** Throws when the data has no JSON form or the receiver would have to ignore the code. */
export function encodeFailure(id: RpcId | null, { code, message, data }: ErrorBody): string {
  if (!Number.isInteger(code)) throw new TypeError(`error code ${code} is not an integer`);
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}
