import { isObject, type JsonObject } from '../common/is-object.js';
import { type ErrorBody, JsonRpcErrorCodes } from './errors.js';
import { DEFAULT_LIMITS, type RpcLimits } from './limits.js';

export type RpcId = string | number;
/** `params` as they came, not checked yet. */
export type RpcParams = JsonObject | readonly unknown[];

export type Frame = RequestFrame | NotificationFrame | SuccessFrame | FailureFrame | InvalidFrame;
export type RequestFrame = { kind: 'request'; id: RpcId; method: string; params: RpcParams | undefined };
export type NotificationFrame = { kind: 'notification'; method: string; params: RpcParams | undefined };
export type SuccessFrame = { kind: 'success'; id: RpcId; result: unknown };
/** The id is null when the other side could not make out which of our frames it rejects. */
export type FailureFrame = { kind: 'failure'; id: RpcId | null; error: ErrorBody };
/** What looks like a response is not answered, or two peers would reject each other's rejections for ever. */
type InvalidFrame = { kind: 'invalid'; id: RpcId | null; code: number; message: string; answerable: boolean };

/** Never throws. The caller bounds the length of the text, since only the caller can close the connection. */
export function parseFrame(text: string, limits: Pick<RpcLimits, 'maxJsonDepth'> = DEFAULT_LIMITS): Frame {
  if (nestsDeeperThan(text, limits.maxJsonDepth)) {
    return invalidCall(null, `nested deeper than maxJsonDepth (${limits.maxJsonDepth})`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'invalid', id: null, code: JsonRpcErrorCodes.ParseError, message: 'parse error', answerable: true };
  }
  if (Array.isArray(value)) return invalidCall(null, 'batches are not supported');
  if (!isObject(value)) return invalidCall(null, 'a message must be an object');
  return looksLikeResponse(value) ? parseResponse(value) : parseCall(value);
}

function parseCall(message: JsonObject): Frame {
  const id = own(message, 'id');
  const echo = isRpcId(id) ? id : null;
  const method = own(message, 'method');
  const params = own(message, 'params');
  if (own(message, 'jsonrpc') !== '2.0') return invalidCall(echo, 'jsonrpc must be "2.0"');
  if (id !== undefined && echo === null) return invalidCall(null, 'id must be a string or a finite number');
  if (typeof method !== 'string') return invalidCall(echo, 'method must be a string');
  if (params !== undefined && !isParams(params)) return invalidCall(echo, 'params must be an object or an array');
  return echo === null ? { kind: 'notification', method, params } : { kind: 'request', id: echo, method, params };
}

function parseResponse(message: JsonObject): Frame {
  const id = own(message, 'id');
  const echo = isRpcId(id) ? id : null;
  const result = own(message, 'result');
  const error = own(message, 'error');
  if (own(message, 'jsonrpc') !== '2.0') return invalidResponse(echo, 'jsonrpc must be "2.0"');
  if (error === undefined) {
    return echo === null ? invalidResponse(null, 'result without a valid id') : { kind: 'success', id: echo, result };
  }
  if (result !== undefined) return invalidResponse(echo, 'both result and error');
  if (id !== null && echo === null) return invalidResponse(null, 'error without a valid id');
  const body = parseError(error);
  return body ? { kind: 'failure', id: echo, error: body } : invalidResponse(echo, 'malformed error');
}

function parseError(error: unknown): ErrorBody | undefined {
  if (!isObject(error)) return undefined;
  const code = own(error, 'code');
  const message = own(error, 'message');
  const data = own(error, 'data');
  if (typeof code !== 'number' || !Number.isInteger(code) || typeof message !== 'string') return undefined;
  return data === undefined ? { code, message } : { code, message, data };
}

function looksLikeResponse(message: JsonObject): boolean {
  return !Object.hasOwn(message, 'method') && (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'));
}

// JSON has no undefined, so undefined always means absent. Own keys only: a polluted prototype supplies nothing.
function own(message: JsonObject, key: string): unknown {
  const value = message[key];
  return value !== undefined && Object.hasOwn(message, key) ? value : undefined;
}

function isParams(value: unknown): value is RpcParams {
  return typeof value === 'object' && value !== null;
}

// JSON.parse turns 1e400 into Infinity, which could not be echoed.
function isRpcId(value: unknown): value is RpcId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}

function invalidCall(id: RpcId | null, message: string): InvalidFrame {
  return { kind: 'invalid', id, code: JsonRpcErrorCodes.InvalidRequest, message, answerable: true };
}

function invalidResponse(id: RpcId | null, message: string): InvalidFrame {
  return { kind: 'invalid', id, code: JsonRpcErrorCodes.InvalidRequest, message, answerable: false };
}

/** Whether brackets outside strings nest deeper than `maxDepth`. Works on any text, broken JSON included. */
function nestsDeeperThan(text: string, maxDepth: number): boolean {
  // A level takes two brackets, so most frames are too short, or hold too few brackets, to need the scan.
  if (text.length < 2 * maxDepth || !holdsMoreOpeningThan(text, maxDepth)) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === BACKSLASH) at++;
      else if (char === QUOTE) inString = false;
    } else if (char === QUOTE) {
      inString = true;
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      depth++;
      if (depth > maxDepth) return true;
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      depth--;
    }
  }
  return false;
}

/** Also counts brackets inside strings: `indexOf` is far faster than looking at every character. */
function holdsMoreOpeningThan(text: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) if (++count > most) return true;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) if (++count > most) return true;
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
