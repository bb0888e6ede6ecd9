import type { Static } from 'typebox';
import { named, optional } from '../common/schema.js';
import { Type } from '../common/type.js';
import type { AhpError } from './errors.js';

const version = Type.Literal('2.0');
/** The types say number; strings are accepted and echoed as JSON-RPC demands (OQ-103). */
const id = Type.Union([Type.Integer(), Type.String()]);

export const JsonRpcRequestSchema = named(
  'JsonRpcRequest',
  Type.Object({ jsonrpc: version, id, method: Type.String(), params: optional(Type.Unknown()) }),
);
export type JsonRpcRequest = Static<typeof JsonRpcRequestSchema>;

export const JsonRpcNotificationSchema = named(
  'JsonRpcNotification',
  Type.Object({ jsonrpc: version, method: Type.String(), params: optional(Type.Unknown()) }),
);
export type JsonRpcNotification = Static<typeof JsonRpcNotificationSchema>;

export const JsonRpcSuccessResponseSchema = named(
  'JsonRpcSuccessResponse',
  Type.Object({ jsonrpc: version, id, result: Type.Unknown() }),
);
export type JsonRpcSuccessResponse = Static<typeof JsonRpcSuccessResponseSchema>;

export const JsonRpcErrorResponseSchema = named(
  'JsonRpcErrorResponse',
  Type.Object({
    jsonrpc: version,
    /** null when the request could not be read (OQ-103). */
    id: Type.Union([Type.Integer(), Type.String(), Type.Null()]),
    error: Type.Object({ code: Type.Integer(), message: Type.String(), data: optional(Type.Unknown()) }),
  }),
);
export type JsonRpcErrorResponse = Static<typeof JsonRpcErrorResponseSchema>;

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
  id: number | string | null;
  error: AhpError;
}
