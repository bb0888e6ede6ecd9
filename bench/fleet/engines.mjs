import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** What is not installed; undefined if all is there. */
export function missingEngines() {
  if (postgresPrograms() === undefined) return 'PostgreSQL';
  return spawnSync('nats-server', ['--version']).status === 0 ? undefined : 'nats-server';
}

export function postgresPrograms() {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return undefined;
  const folders = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
  return folders.map((version) => join(versions, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')));
}

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Resolves once something listens there. */
export async function accepts(port) {
  for (;;) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
