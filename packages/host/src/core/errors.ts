import { AhpErrorCodes, JsonRpcErrorCodes, RpcError } from '@moorage/protocol';

export function invalidRequest(message: string): RpcError {
  return new RpcError(JsonRpcErrorCodes.InvalidRequest, message);
}

export function invalidParams(message: string): RpcError {
  return new RpcError(JsonRpcErrorCodes.InvalidParams, message);
}

export function methodNotFound(method: string): RpcError {
  return new RpcError(JsonRpcErrorCodes.MethodNotFound, `this host does not serve "${method}"`);
}

/** The host's own `authorize` refused it. */
export function notAllowed(reason: string): RpcError {
  return new RpcError(AhpErrorCodes.PermissionDenied, reason, { data: {} });
}

export function sessionNotFound(uri: string): RpcError {
  return new RpcError(AhpErrorCodes.SessionNotFound, `there is no session ${uri}`);
}

export function notFound(uri: string, why?: string): RpcError {
  return new RpcError(AhpErrorCodes.NotFound, why ?? `there is no ${uri}`);
}
