import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { defaultDataFolder } from '../../data-folder.js';
import { type HostFile, readHostFile } from '../../host-file.js';
import { UsageError } from '../../usage-error.js';
import type { CommonOptions } from '../command.js';
import { CommandError } from '../errors.js';
import { configFile, readAhpConfig } from './config.js';

export interface HostTarget {
  /** How people call it: its name, or its URL. */
  readonly name: string;
  readonly url: string;
  readonly token: string | undefined;
  /** Where it is by now: one that was started again may listen elsewhere. Throws when it is not there. */
  readonly again?: () => HostTarget;
}

/** Which host is meant: what the options say, then the environment, then the configuration, then this machine's own. */
export function findHost(options: CommonOptions): HostTarget {
  const named = namedHost(options);
  return named === undefined ? localHost(options) : targetOf(named, options.tokenFile);
}

/** The name or URL of the host that is meant; undefined when it is this machine's own. */
export function namedHost({ host, dataDir }: CommonOptions): string | undefined {
  if (host !== undefined || dataDir !== undefined) return host;
  return process.env.AHP_HOST || readAhpConfig().default;
}

/** The host of this machine, by what it wrote into its data folder. */
export function localHost(options: CommonOptions): HostTarget {
  const running = runningHost(dataFolder(options));
  if (!running) {
    throw new CommandError(
      `no host is running (looked in ${dataFolder(options)})\nStart one with: ahp host start\nOr name one with: --host URL --token-file FILE`,
    );
  }
  const url = running.socket === undefined ? running.url : `unix:${running.socket}`;
  const token = readToken(options.tokenFile ?? running.tokenFile);
  return { name: 'local', url, token, again: () => localHost(options) };
}

export function dataFolder({ dataDir }: CommonOptions): string {
  return resolve(dataDir ?? defaultDataFolder());
}

/** What the host of a data folder wrote, if its process is there. */
export function runningHost(folder: string): HostFile | undefined {
  const file = readHostFile(folder);
  return file && isAlive(file.pid) ? file : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function targetOf(name: string, tokenFile: string | undefined): HostTarget {
  const isUrl = /^(wss?|https?|unix):/i.test(name);
  const configured = isUrl ? undefined : readAhpConfig().hosts[name];
  if (!isUrl && !configured) {
    throw new UsageError(
      `there is no host named "${name}" in ${configFile()}\nAdd it with: ahp host add ${name} URL --token-file FILE`,
    );
  }
  const file = tokenFile ?? configured?.tokenFile;
  const token = file === undefined ? process.env.AHP_TOKEN || undefined : readToken(expandHome(file));
  return { name, url: configured?.url ?? name, token };
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new UsageError(`cannot read the token file ${file}: name the right one with --token-file`);
  }
}

function expandHome(path: string): string {
  return path.startsWith('~/') ? homedir() + path.slice(1) : path;
}
