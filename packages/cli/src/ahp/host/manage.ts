import { createReadStream, existsSync, readFileSync, statSync, watchFile } from 'node:fs';
import { readHostFile } from '../../host-file.js';
import { UsageError } from '../../usage-error.js';
import type { CommonOptions } from '../command.js';
import { CommandError, ExitCode } from '../errors.js';
import { note, print, printLine } from '../output/out.js';
import { jsonLine, plain } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { dataFolder, isAlive, runningHost } from './find.js';
import { logFile, type StartOptions, startHost } from './start.js';

/** A host ends its turns and writes all it has before it stops. */
const STOP_WITHIN_MS = 30_000;
const POLL_MS = 25;

export async function hostStart(options: StartOptions): Promise<void> {
  const folder = dataFolder(options);
  const running = runningHost(folder);
  if (running && (await answers(running.url))) {
    if (options.json) return printLine(jsonLine({ running: true, started: false, ...running }));
    return printLine(`a host is running already: ${running.url} (process ${running.pid})`);
  }
  const host = await startHost(options);
  if (options.json) return printLine(jsonLine({ running: true, started: true, ...host, log: logFile(folder) }));
  printLine(`started: ${host.url} (process ${host.pid})\nlog: ${logFile(folder)}`);
}

export async function hostStop(options: CommonOptions): Promise<void> {
  const host = runningHost(dataFolder(options));
  // After a crash the number may be another process's by now: only one that answers as a host is stopped.
  if (!host || !(await answers(host.url))) {
    throw new CommandError(`no host is running (looked in ${dataFolder(options)})`);
  }
  process.kill(host.pid, 'SIGTERM');
  const gone = async () => {
    const deadline = Date.now() + STOP_WITHIN_MS;
    while (isAlive(host.pid)) {
      if (Date.now() > deadline) throw new CommandError(`process ${host.pid} does not stop; see: ahp host logs`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  await withProgress('stopping the host', gone());
  printLine(options.json ? jsonLine({ stopped: host.pid }) : 'stopped');
}

/** Exit code 0 when it runs, 1 when it does not, so that scripts can ask. */
export async function hostStatus(options: CommonOptions): Promise<void> {
  const folder = dataFolder(options);
  const host = runningHost(folder);
  const isRunning = host !== undefined && (await answers(host.url));
  if (!isRunning) process.exitCode = ExitCode.Failed;
  if (options.json)
    return printLine(
      jsonLine(isRunning ? { running: true, ...host, dataDir: folder } : { running: false, dataDir: folder }),
    );
  if (isRunning)
    return printLine(`running: ${host.url} (process ${host.pid}, version ${host.version})\ndata: ${folder}`);
  const crashed =
    readHostFile(folder) !== undefined ? '\nThe last one ended without saying so; see: ahp host logs' : '';
  printLine(`no host is running (looked in ${folder})\nStart one with: ahp host start${crashed}`);
}

export interface LogsOptions extends CommonOptions {
  readonly lines: string;
  readonly follow?: boolean;
}

export async function hostLogs(options: LogsOptions): Promise<void> {
  const file = logFile(dataFolder(options));
  if (!existsSync(file))
    throw new CommandError(`there is no log ${file}: a host writes one when ahp host start starts it`);
  const count = Number(options.lines);
  if (!Number.isInteger(count) || count < 0) throw new UsageError('--lines: expected a whole number');
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n').slice(0, -1);
  for (const line of lines.slice(count === 0 ? lines.length : -count)) printLine(plain(line));
  if (options.follow) await followFile(file, Buffer.byteLength(text));
  else if (lines.length === 0) note('The log is empty.');
}

/** Prints what is added to a file, until the process is ended. */
function followFile(file: string, from: number): Promise<never> {
  let position = from;
  let reading = false;
  const more = () => {
    const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size < position) position = 0; // it was begun anew
    if (reading || size === position) return;
    reading = true;
    const stream = createReadStream(file, { start: position, end: size - 1, encoding: 'utf8' });
    position = size;
    stream.on('data', (chunk) => print(plain(String(chunk))));
    stream.on('close', () => {
      reading = false;
      more();
    });
  };
  watchFile(file, { interval: 250 }, more);
  more();
  return new Promise(() => {});
}

/** Whether a host answers there; health needs no token. */
async function answers(url: string): Promise<boolean> {
  const health = new URL('healthz', url.replace(/^ws/, 'http'));
  try {
    return (await fetch(health, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch (error) {
    // A certificate that this machine does not trust is still a host's.
    return /certificate|self.signed/i.test(String((error as Error).cause ?? ''));
  }
}
