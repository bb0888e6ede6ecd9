import { AhpErrorCodes, JsonRpcErrorCodes, ROOT_URI, RpcError, type URI } from '@moorage/protocol';
import { FilesError, type FilesErrorKind } from '../../ports/files.js';

/** Converts the error of a file operation for the wire; other errors are returned unchanged. */
export function toRpcError(error: unknown, uri: URI, isFinal = false): unknown {
  if (!(error instanceof FilesError)) return error;
  if (error.kind === 'outside') return isFinal ? barred(uri) : denied(uri, error.access === 'read' ? 'read' : 'write');
  const data = error.kind === 'forbidden' ? {} : undefined;
  return new RpcError(CODES[error.kind], error.message, { cause: error, data });
}

/** Names the request that could grant access (B-293). Reveals nothing about the path, not even whether it exists. */
function denied(uri: URI, access: 'read' | 'write'): RpcError {
  const message = `${uri} is outside the folders that this host may use; ask for it with "resourceRequest", or start the host with --root`;
  const request = { channel: ROOT_URI, uri, [access]: true };
  return new RpcError(AhpErrorCodes.PermissionDenied, message, { data: { request } });
}

/** No request could grant access, so none is named. */
export function barred(uri: URI): RpcError {
  const message = `${uri} belongs to the host itself, or is one of its roots: access to it cannot be granted`;
  return new RpcError(AhpErrorCodes.PermissionDenied, message, { data: {} });
}

/** As the protocol assigns them, else as OQ-91 and OQ-92 decide. */
const CODES: Readonly<Record<FilesErrorKind, number>> = {
  badPath: JsonRpcErrorCodes.InvalidParams,
  outside: AhpErrorCodes.PermissionDenied,
  forbidden: AhpErrorCodes.PermissionDenied,
  notFound: AhpErrorCodes.NotFound,
  badLink: AhpErrorCodes.NotFound,
  exists: AhpErrorCodes.AlreadyExists,
  changed: AhpErrorCodes.Conflict,
  isFolder: JsonRpcErrorCodes.InvalidParams,
  notFolder: JsonRpcErrorCodes.InvalidParams,
  notFile: JsonRpcErrorCodes.InvalidParams,
  notEmpty: JsonRpcErrorCodes.InvalidParams,
  intoItself: JsonRpcErrorCodes.InvalidParams,
  tooLarge: JsonRpcErrorCodes.InvalidParams,
  badPosition: JsonRpcErrorCodes.InvalidParams,
  failed: JsonRpcErrorCodes.InternalError,
};
