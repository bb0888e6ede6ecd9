import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { CommonOptions } from '../command.js';
import { CommandError, ExitCode } from '../errors.js';
import { dataFolder, runningHost } from '../host/find.js';
import { hostProgram, logFile, type StartOptions } from '../host/start.js';
import { printLine } from '../output/out.js';
import { jsonLine } from '../output/plain.js';
import { MARK } from './definition.js';
import { type ServiceManager, serviceManager } from './manager.js';

/** Writes the service of this user and starts it. If the service manager refuses, everything is as before. */
export function installService(options: StartOptions): void {
  const manager = serviceManager();
  const before = ownFile(manager);
  const folder = dataFolder(options);
  const running = runningHost(folder);
  if (running && before === undefined)
    throw new CommandError(`a host is running already (process ${running.pid})\nStop it first: moorage host stop`);
  const { root = ['.'] } = options;
  const command = hostProgram({ ...options, root: root.map((path) => resolve(path)) });
  const text = manager.definition({ command, path: process.env.PATH ?? '' }, logFile(folder));
  mkdirSync(dirname(manager.file), { recursive: true });
  writeFileSync(manager.file, text, { mode: 0o600 });
  try {
    manager.start();
  } catch (error) {
    if (before === undefined) rmSync(manager.file);
    else writeFileSync(manager.file, before, { mode: 0o600 });
    throw error;
  }
  const { file, name, hint } = manager;
  printLine(options.json ? jsonLine({ installed: true, file, manager: name }) : `installed: ${file}\n${hint}`);
}

/** Exit code 0 when it is installed and runs, 1 when not, so that scripts can ask. */
export function serviceStatus(options: CommonOptions): void {
  const manager = serviceManager();
  const installed = existsSync(manager.file);
  const state = installed ? manager.state() : 'not installed';
  if (!/^(active|running)$/.test(state)) process.exitCode = ExitCode.Failed;
  const { file, name } = manager;
  const text = installed ? `${state}: ${file}` : 'not installed\nInstall it with: moorage service install';
  printLine(options.json ? jsonLine({ installed, state, file, manager: name }) : text);
}

export function uninstallService(options: CommonOptions): void {
  const manager = serviceManager();
  if (ownFile(manager) === undefined) throw new CommandError(`there is no service: ${manager.file} does not exist`);
  manager.stop();
  rmSync(manager.file);
  manager.forget();
  printLine(options.json ? jsonLine({ installed: false }) : `removed: ${manager.file}; sessions are kept`);
}

/** The text of the file if we wrote it; undefined if there is none. */
function ownFile({ file }: ServiceManager): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  if (text.includes(MARK)) return text;
  throw new CommandError(`${file} was not written by moorage service install; move it away first`);
}
