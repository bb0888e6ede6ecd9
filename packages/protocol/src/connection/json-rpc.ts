import { named, object, optional } from '../common/schema.js';
import { type Static, Type } from '../common/type.js';
import type { AhpError } from './errors.js';

const version = Type.Literal('2.0');
/** The types say number; strings are accepted and echoed as JSON-RPC demands (OQ-103). */
const id = Type.Union([Type.Integer(), Type.String()]);

export interface JsonRpcRequest {
  jsonrpc: '2.0';
  /** Chosen by the sender; the answer has the same. */
  id: number | string;
  /** One of `requests` or `notifications`. */
  method: string;
  /** What it is wanted with. */
  params?: unknown;
}

export const JsonRpcRequestSchema = object<JsonRpcRequest>('JsonRpcRequest', {
  jsonrpc: version,
  id,
  method: Type.String(),
  params: optional(Type.Unknown()),
});

export interface JsonRpcNotification {
  jsonrpc: '2.0';
  /** One of `requests` or `notifications`. */
  method: string;
  /** What it is wanted with. */
  params?: unknown;
}

export const JsonRpcNotificationSchema = object<JsonRpcNotification>('JsonRpcNotification', {
  jsonrpc: version,
  method: Type.String(),
  params: optional(Type.Unknown()),
});

export interface JsonRpcSuccessResponse {
  jsonrpc: '2.0';
  /** The request that it answers. */
  id: number | string;
  /** The answer. */
  result: unknown;
}

export const JsonRpcSuccessResponseSchema = object<JsonRpcSuccessResponse>('JsonRpcSuccessResponse', {
  jsonrpc: version,
  id,
  result: Type.Unknown(),
});

export interface JsonRpcErrorResponse {
  jsonrpc: '2.0';
  /** null when the request could not be read (OQ-103). */
  id: number | string | null;
  /** Why there is none. */
  error: { code: number; message: string; data?: unknown };
}

export const JsonRpcErrorResponseSchema = object<JsonRpcErrorResponse>('JsonRpcErrorResponse', {
  jsonrpc: version,
  id: Type.Union([Type.Integer(), Type.String(), Type.Null()]),
  error: Type.Object({ code: Type.Integer(), message: Type.String(), data: optional(Type.Unknown()) }),
});

export const JsonRpcResponseSchema = named(
  'JsonRpcResponse',
  Type.Union([JsonRpcSuccessResponseSchema, JsonRpcErrorResponseSchema]),
);
export type JsonRpcResponse = Static<typeof JsonRpcResponseSchema>;

/** Anything that may travel in one frame. */
export const JsonRpcMessageSchema = named(
  'JsonRpcMessage',
  Type.Union([
    JsonRpcRequestSchema,
    JsonRpcNotificationSchema,
    JsonRpcSuccessResponseSchema,
    JsonRpcErrorResponseSchema,
  ]),
);
export type JsonRpcMessage = Static<typeof JsonRpcMessageSchema>;

/** An error response of this protocol, typed by its code. */
export interface AhpErrorResponse {
  jsonrpc: '2.0';
  /** The request that it answers; null if that could not be read. */
  id: number | string | null;
  /** Why there is none. */
  error: AhpError;
}
