import { AhpErrorCodes, ROOT_URI, RpcError, type TerminalClaim, type URI } from '@ahpd/protocol';
import { isKind } from '../../core/channel.js';
import { invalidParams } from '../../core/errors.js';
import { FolderError } from '../../ports/folders.js';
import type { HostContext } from '../context.js';

export interface Place {
  readonly uri: URI;
  /** An absolute path. */
  readonly path: string;
}

/** Where a terminal starts: where it was asked to, else in the folder of its session, else where the host starts. */
export function placeOf({ door, folders }: HostContext, cwd: URI | undefined, claim: TerminalClaim): Place {
  const session = claim.kind === 'session' ? door.channels.load(claim.session) : undefined;
  const ofSession = isKind(session, 'session') ? session.state.summary.workingDirectory : undefined;
  const uri = cwd ?? ofSession ?? folders.defaultDirectory;
  if (uri === undefined) throw invalidParams('params/cwd: expected a "file:" URI; this host has no folder of its own');
  try {
    return { uri, path: folders.resolve(uri) };
  } catch (error) {
    throw error instanceof FolderError ? refusal(error, uri) : error;
  }
}

function refusal({ kind, message }: FolderError, uri: URI): RpcError {
  if (kind === 'invalid') return invalidParams(`params/cwd: ${message}`);
  if (kind === 'missing') return new RpcError(AhpErrorCodes.NotFound, message);
  const request = { channel: ROOT_URI, uri, read: true, write: true };
  return new RpcError(AhpErrorCodes.PermissionDenied, message, { data: { request } });
}
