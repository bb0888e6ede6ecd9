import { primaryDirectory, type TerminalClaim, type URI } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import type { HostContext } from '../context.js';
import { type WorkingDirectory, workingDirectory } from '../working-directory.js';

/** The folder a terminal starts in: the requested one, else its session's, else the host's default. */
export function startFolder(
  { door, folders }: HostContext,
  cwd: URI | undefined,
  claim: TerminalClaim,
): WorkingDirectory {
  const session = claim.kind === 'session' ? door.channels.find('session', claim.session) : undefined;
  const uri = cwd ?? (session && primaryDirectory(session.state)) ?? folders.defaultDirectory;
  if (uri === undefined) throw invalidParams('params/cwd: expected a "file:" URI; this host has no folder of its own');
  return workingDirectory(folders, uri, 'cwd');
}
