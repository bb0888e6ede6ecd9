import { Buffer } from 'node:buffer';
import { chmod, lstat, mkdtemp, rename, rmdir, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { resolve } from 'node:path';
import { ListenError, type Log } from '../../ports/index.js';
import { systemCode } from '../shared/transport/fault.js';
import { explain, startListening } from '../shared/transport/listening.js';
import { MAX_SOCKET_PATH_BYTES } from './limits.js';

/** Starts the server at a path that only this user can open. Returns how to take the file away again. */
export async function listenAtPath(server: Server, path: string, log: Log): Promise<() => Promise<void>> {
  const target = resolve(path);
  if (Buffer.byteLength(target) > MAX_SOCKET_PATH_BYTES) {
    throw new ListenError('bad-options', `cannot listen on ${path}: longer than ${MAX_SOCKET_PATH_BYTES} bytes`);
  }
  await refuseWhatIsInUse(target);
  await makeSocket(server, target, log).catch((error: unknown) => {
    server.close();
    throw error instanceof ListenError ? error : explain(error, target);
  });
  const ours = await lstat(target);
  return async () => {
    const now = await lstat(target).catch(() => undefined);
    // Someone may have put another socket there since; that one is not ours to delete.
    if (now?.ino === ours.ino && now.dev === ours.dev) await unlink(target).catch(() => {});
  };
}

// Made inside a private folder and then moved: at no moment can another user reach it, whatever the umask, and a stale
// socket is replaced in one step.
async function makeSocket(server: Server, target: string, log: Log): Promise<void> {
  const folder = await mkdtemp(`${target}.`);
  const made = `${folder}/s`;
  try {
    await startListening(server, { path: made }, target, log);
    await chmod(made, 0o600);
    await rename(made, target);
  } finally {
    await unlink(made).catch(() => {});
    await rmdir(folder);
  }
}

async function refuseWhatIsInUse(path: string): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  if (!there) return;
  if (!there.isSocket()) {
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
