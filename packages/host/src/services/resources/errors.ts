import { AhpErrorCodes, JsonRpcErrorCodes, ROOT_URI, RpcError, type URI } from '@ahpd/protocol';
import { FilesError, type FilesErrorKind } from '../../ports/files.js';

/** What a file operation on a URI could not do, as the wire says it; other errors stay what they are. */
export function toRpcError(error: unknown, uri: URI, isForGood = false): unknown {
  if (!(error instanceof FilesError)) return error;
  if (error.kind === 'outside')
    return isForGood ? barred(uri) : denied(uri, error.access === 'read' ? 'read' : 'write');
  const data = error.kind === 'forbidden' ? {} : undefined;
  return new RpcError(CODES[error.kind], error.message, { cause: error, data });
}

/** Names the request that would unlock it (B-293). Says nothing of what is there, not even whether something is. */
function denied(uri: URI, access: 'read' | 'write'): RpcError {
  const message = `${uri} is outside of the folders that this host may use; ask for it with "resourceRequest", or start the host with --root`;
  const request = { channel: ROOT_URI, uri, [access]: true };
  return new RpcError(AhpErrorCodes.PermissionDenied, message, { data: { request } });
}

/** No request would unlock it, so none is named and nobody is asked. */
export function barred(uri: URI): RpcError {
  const message = `${uri} is what this host keeps for itself, or one of its roots: nobody can be granted that`;
  return new RpcError(AhpErrorCodes.PermissionDenied, message, { data: {} });
}

/** As the protocol assigns them; where it does not, as OQ-91 and OQ-92 say. */
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
