import { createReadStream, existsSync, readFileSync, statSync, watchFile } from 'node:fs';
import { readHostFile } from '../../host-file.js';
import type { CommonOptions } from '../command.js';
import { CommandError, ExitCode } from '../errors.js';
import { note, print, printLine } from '../output/out.js';
import { jsonLine, plain } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { dataFolder, isAlive, noHost } from './find.js';
import { servingHost, until } from './serving.js';
import { logFile, type StartOptions, startHost } from './start.js';

/** A host needs a moment to end its turns and store everything. */
const STOP_WITHIN_MS = 30_000;

export async function hostStart(options: StartOptions): Promise<void> {
  const folder = dataFolder(options);
  const running = await servingHost(folder);
  if (running) {
    if (options.json) return printLine(jsonLine({ running: true, started: false, ...running }));
    return printLine(`a host is running already: ${running.url} (process ${running.pid})`);
  }
  const host = await startHost(options);
  if (options.json) return printLine(jsonLine({ running: true, started: true, ...host, log: logFile(folder) }));
  printLine(`started: ${host.url} (process ${host.pid})\nlog: ${logFile(folder)}`);
}

export async function hostStop(options: CommonOptions): Promise<void> {
  const folder = dataFolder(options);
  const host = await servingHost(folder);
  if (!host) throw new CommandError(`no host is running (looked in ${folder})`);
  process.kill(host.pid, 'SIGTERM');
  const isGone = () => !isAlive(host.pid);
  await withProgress('stopping the host', until(isGone, STOP_WITHIN_MS));
  if (!isGone())
    throw new CommandError(
      `process ${host.pid} has not stopped after ${STOP_WITHIN_MS / 1000} seconds; see: moorage host logs`,
    );
  printLine(options.json ? jsonLine({ stopped: host.pid }) : 'stopped');
}

/** Exit code 0 when it runs, 1 when it does not, so that scripts can ask. */
export async function hostStatus(options: CommonOptions): Promise<void> {
  const dataDir = dataFolder(options);
  const host = await servingHost(dataDir);
  if (!host) process.exitCode = ExitCode.Failed;
  if (options.json) return printLine(jsonLine({ running: host !== undefined, ...host, dataDir }));
  if (host) return printLine(`running: ${host.url} (process ${host.pid}, version ${host.version})\ndata: ${dataDir}`);
  const crashed = readHostFile(dataDir) ? '\nThe last one ended without cleaning up; see: moorage host logs' : '';
  printLine(`${noHost(options)}${crashed}`);
}

export interface LogsOptions extends CommonOptions {
  readonly lines: number;
  readonly follow?: boolean;
}

export async function hostLogs(options: LogsOptions): Promise<void> {
  const file = logFile(dataFolder(options));
  if (!existsSync(file))
    throw new CommandError(`there is no log ${file}: only a host that moorage host start started writes one`);
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n').slice(0, -1);
  for (const line of lines.slice(Math.max(0, lines.length - options.lines))) printLine(plain(line));
  if (options.follow) await followFile(file, Buffer.byteLength(text));
  else if (lines.length === 0) note('The log is empty.');
}

/** Prints what is added to a file, until the process is ended. */
function followFile(file: string, from: number): Promise<never> {
  let position = from;
  let reading = false;
  const more = () => {
    const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size < position) position = 0; // the file was started over
    if (reading || size === position) return;
    reading = true;
    const stream = createReadStream(file, { start: position, end: size - 1, encoding: 'utf8' });
    position = size;
    stream.on('data', (chunk) => print(plain(String(chunk))));
    stream.on('error', () => {}); // it was removed; a new one may come
    stream.on('close', () => {
      reading = false;
      more();
    });
  };
  watchFile(file, { interval: 250 }, more);
  more();
  return new Promise(() => {});
}
