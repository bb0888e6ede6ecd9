import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareDataFolder } from '../../data-folder.js';
import type { HostFile } from '../../host-file.js';
import type { CommonOptions } from '../command.js';
import { CommandError } from '../errors.js';
import { withProgress } from '../output/progress.js';
import { dataFolder, namedHost, runningHost } from './find.js';
import { servingHost, until } from './serving.js';

export interface StartOptions extends CommonOptions {
  readonly root?: readonly string[];
  readonly port?: string;
  readonly socket?: string;
  readonly config?: string;
}

/** A cold start takes half a second; a slow disk or a large store takes longer. */
const START_WITHIN_MS = 30_000;

export function logFile(folder: string): string {
  return join(folder, 'host.log');
}

/** Starts a host in the background, with its log in the data folder, and waits until it serves. */
export async function startHost(options: StartOptions): Promise<HostFile> {
  const folder = dataFolder(options);
  prepareDataFolder(folder);
  const file = logFile(folder);
  const log = openSync(file, 'a', 0o600);
  const logStart = statSync(file).size;
  const [program = '', ...args] = hostProgram(options);
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', log] });
  closeSync(log);
  let end: string | undefined;
  child.once('error', (error) => {
    end = error.message;
  });
  child.once('exit', (code) => {
    end = `it ended with code ${code}`;
  });
  child.unref();
  const ready = async () => {
    const own = () => {
      const host = runningHost(folder);
      return host && host.pid === child.pid ? host : undefined;
    };
    await until(() => end !== undefined || own() !== undefined, START_WITHIN_MS);
    const host = own();
    if (host && end === undefined) return host;
    const said = readFileSync(file, 'utf8').slice(logStart).trim().split('\n').slice(-5).join('\n');
    throw new CommandError(`the host did not start: ${end ?? 'it is not ready yet'}\n${said}\nThe log is in ${file}`);
  };
  return withProgress('starting the host', ready());
}

/** The running host of the data folder, or a new one. */
export async function ensureHost(options: CommonOptions): Promise<void> {
  if (namedHost(options) !== undefined || (await servingHost(dataFolder(options)))) return;
  await startHost({ ...options, port: ANY_PORT });
}

/** The port does not matter to `run --start`, which finds the host by its file, and the usual one may be taken. */
const ANY_PORT = '0';

const BIN = fileURLToPath(new URL('../bin/moorage.js', import.meta.url)); // from the bundle

/** The command that runs a host for the data folder, and logs what it does. */
export function hostProgram(options: StartOptions): string[] {
  const folder = dataFolder(options);
  return [process.execPath, BIN, 'serve', '--data-dir', folder, '--log-level', 'info', ...argumentsOf(options)];
}

function argumentsOf({ root = [], port, socket, config }: StartOptions): string[] {
  return [
    ...root.flatMap((folder) => ['--root', folder]),
    ...(port === undefined ? [] : ['--port', port]),
    ...(socket === undefined ? [] : ['--socket', socket]),
    ...(config === undefined ? [] : ['--config', config]),
  ];
}
