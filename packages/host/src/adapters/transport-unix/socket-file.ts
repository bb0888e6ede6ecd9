import { Buffer } from 'node:buffer';
import { chmod, lstat, mkdtemp, rename, rmdir, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { resolve } from 'node:path';
import { ListenError, type Log } from '../../ports/index.js';
import { systemCode } from '../shared/transport/fault.js';
import { explain, startListening } from '../shared/transport/listening.js';
import { MAX_SOCKET_PATH_BYTES } from './limits.js';

/** Starts the server at a path that only this user can open. Returns a function that removes the socket file. */
export async function listenAtPath(server: Server, path: string, log: Log): Promise<() => Promise<void>> {
  const target = resolve(path);
  if (Buffer.byteLength(target) > MAX_SOCKET_PATH_BYTES) {
    throw new ListenError('bad-options', `cannot listen on ${path}: longer than ${MAX_SOCKET_PATH_BYTES} bytes`);
  }
  await expectUnused(target);
  await createSocket(server, target, log).catch((error: unknown) => {
    server.close();
    throw error instanceof ListenError ? error : explain(error, target);
  });
  const ours = await lstat(target);
  return async () => {
    const now = await lstat(target).catch(() => undefined);
    // Leaves a socket that another process has put there since.
    if (now?.ino === ours.ino && now.dev === ours.dev) await unlink(target).catch(() => {});
  };
}

// Creates the socket in a private folder and then moves it, so that other users can never reach it, whatever the umask, and
// so that a stale socket is replaced atomically.
async function createSocket(server: Server, target: string, log: Log): Promise<void> {
  const folder = await mkdtemp(`${target}.`);
  const socket = `${folder}/s`;
  try {
    await startListening(server, { path: socket }, target, log);
    await chmod(socket, 0o600);
    await rename(socket, target);
  } finally {
    await unlink(socket).catch(() => {});
    await rmdir(folder);
  }
}

async function expectUnused(path: string): Promise<void> {
  const existing = await lstat(path).catch(() => undefined);
  if (!existing) return;
  if (!existing.isSocket()) {
    throw new ListenError('in-use', `cannot listen on ${path}: something that is not a socket is there`);
  }
  const outcome = await tryConnecting(path);
  if (outcome === 'ECONNREFUSED' || outcome === 'ENOENT') return;
  if (outcome === 'EACCES') throw new ListenError('not-permitted', `cannot listen on ${path}: permission denied`);
  throw new ListenError('in-use', `cannot listen on ${path}: another process listens there`);
}

function tryConnecting(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', (error) => resolve(systemCode(error)));
  });
}
