import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { removeFolder } from '../remove-folder.js';

/** A real NATS server of the test's own. */
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** As `kill -9`. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Stops it, and removes what it kept. */
  end(): Promise<void>;
}

/** Whether there is a NATS server to start. */
export function hasNats(): boolean {
  return spawnSync('nats-server', ['--version']).status === 0;
}

/** Starts one on a free port; `settings` are lines of its configuration file, given its folder. */
export async function startNats(settings: (folder: string) => Promise<string> = async () => ''): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-nats-'));
  const port = await freePort();
  const config = join(folder, 'nats.conf');
  writeFileSync(config, `listen: "127.0.0.1:${port}"\n${await settings(folder)}\n`);
  const server = await startNatsWith(config, port);
  return {
    ...server,
    end: async () => {
      await server.end();
      await removeFolder(folder);
    },
  };
}

/** Starts one with a configuration that makes it listen on this port and address. */
export async function startNatsWith(config: string, port: number, address = '127.0.0.1'): Promise<NatsServer> {
  let child: ChildProcess | undefined;
  let said = '';

  /** Starts it again and again, as a supervisor would: a connection of somebody else may have its port for a moment. */
  const start = async () => {
    for (let attempt = 1; !(await tryToStart()); attempt++) {
      if (attempt === START_ATTEMPTS) throw new Error(`nats-server does not start: ${said.slice(-2_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const tryToStart = async (): Promise<boolean> => {
    const started = spawn('nats-server', ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    started.stderr.on('data', (chunk) => {
      said += chunk;
    });
    let code: number | null | undefined;
    started.once('exit', (ended) => {
      code = ended;
    });
    while (!(await accepts(port, address))) if (code !== undefined) return false;
    return true;
  };
  const kill = async () => {
    const ended = child;
    child = undefined;
    if (!ended || ended.exitCode !== null) return;
    const exited = new Promise((resolve) => ended.once('exit', resolve));
    ended.kill('SIGKILL');
    await exited;
  };
  await start();
  return {
    url: `nats://${address}:${port}`,
    port,
    kill,
    restart: start,
    end: kill,
  };
}

const START_ATTEMPTS = 100;

function accepts(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => setTimeout(resolve, 20, false));
  });
}
