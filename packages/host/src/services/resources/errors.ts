import { AhpErrorCodes, JsonRpcErrorCodes, ROOT_URI, RpcError, type URI } from '@moorage/protocol';
import { FilesError, type FilesErrorKind } from '../../ports/files.js';
import type { ClientScope } from './access.js';
import { MAX_NAMED_ROOTS } from './limits.js';

/** Converts the error of a file operation for the wire; other errors are returned unchanged. */
export function toRpcError(error: unknown, uri: URI, { isFinal, roots }: Refusal = {}): unknown {
  if (!(error instanceof FilesError)) return error;
  const access = error.access === 'read' ? 'read' : 'write';
  if (error.kind === 'outside') return isFinal ? barred(uri) : denied(uri, access, roots);
  const data = error.kind === 'forbidden' ? {} : undefined;
  return new RpcError(CODES[error.kind], error.message, { cause: error, data });
}

/** What there is to say about access that was refused. */
type Refusal = Partial<Pick<ClientScope, 'isFinal' | 'roots'>>;

/**
 * Names what may be used instead (V-35), and the request that could grant access (B-293). Reveals nothing about the path, not
 * even whether it exists.
 */
function denied(uri: URI, access: 'read' | 'write', roots: readonly string[] = []): RpcError {
  const may = roots.length === 0 ? '' : ` (${roots.slice(0, MAX_NAMED_ROOTS).join(', ')})`;
  const message = `${uri} is outside the folders that this host may use${may}; ask for it with "resourceRequest", or start the host with --root`;
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
