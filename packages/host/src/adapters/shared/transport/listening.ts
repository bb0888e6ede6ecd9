import type { ListenOptions, Server } from 'node:net';
import { ListenError, type Log } from '../../../ports/index.js';
import { systemCode } from './fault.js';

/** Resolves when the server listens; rejects with a ListenError that names `where`. */
export function startListening(server: Server, options: ListenOptions, where: string, log: Log): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown) => reject(explain(error, where));
    server.once('error', refuse);
    server.once('listening', () => {
      server.off('error', refuse);
      // Accepting can also fail later, as without free file descriptors; an 'error' without a listener would end the process.
      server.on('error', (error) =>
        log.write('warn', 'connection.not-accepted', 'the system could not accept a connection', {
          code: systemCode(error),
        }),
      );
      resolve();
    });
    try {
      server.listen(options);
    } catch (error) {
      reject(explain(error, where));
    }
  });
}

/** Resolves when the server has stopped listening and its last connection is gone. */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

export function explain(error: unknown, where: string): ListenError {
  const code = systemCode(error);
  const [kind, why] = REASONS[code ?? ''] ?? (['failed', code ?? 'unknown error'] as const);
  return new ListenError(kind, `cannot listen on ${where}: ${why}`, { cause: error });
}

const REASONS: Readonly<Record<string, readonly [ListenError['kind'], string]>> = {
  EADDRINUSE: ['in-use', 'another process listens there'],
  EACCES: ['not-permitted', 'permission denied'],
  EPERM: ['not-permitted', 'permission denied'],
  EADDRNOTAVAIL: ['bad-options', 'this machine does not have that address'],
  ENOTFOUND: ['bad-options', 'no such host name'],
  ENOENT: ['bad-options', 'its folder does not exist'],
  ENOTDIR: ['bad-options', 'its folder is not a folder'],
  ERR_SOCKET_BAD_PORT: ['bad-options', 'a port is a number from 0 to 65535'],
};
