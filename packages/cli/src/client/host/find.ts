import { resolve } from 'node:path';
import { configFile } from '../../config-file.js';
import { defaultDataFolder } from '../../data-folder.js';
import { expandHome, readNamedFile } from '../../files.js';
import { type HostFile, readHostFile } from '../../host-file.js';
import { UsageError } from '../../usage-error.js';
import type { CommonOptions } from '../command.js';
import { CommandError } from '../errors.js';
import { readClientConfig } from './config.js';

export interface HostTarget {
  /** What the user calls it: a name, or its URL. */
  readonly name: string;
  readonly url: string;
  readonly token: string | undefined;
  /** A host of the fleet whose gateway is at the URL, by its name or id. */
  readonly member?: string;
  /** What the host at the URL is called in its fleet. */
  readonly machine?: string;
  /** Looks for it again, because a host that was restarted may listen elsewhere. Throws when none is running. */
  readonly again?: () => HostTarget;
}

/** The host to talk to: by the options, else the environment, else the configuration, else the one on this machine. */
export function findHost(options: CommonOptions): HostTarget {
  const named = namedHost(options);
  return named === undefined ? localHost(options) : targetOf(named, options.tokenFile);
}

/** The name or URL of the host to talk to; undefined for the one on this machine. */
export function namedHost({ host, dataDir }: CommonOptions): string | undefined {
  if (host !== undefined || dataDir !== undefined) return host;
  return process.env.MOORAGE_HOST || readClientConfig().default;
}

/** The host on this machine, found by the file that it keeps in its data folder. */
export function localHost(options: CommonOptions): HostTarget {
  const running = runningHost(dataFolder(options));
  if (!running) {
    throw new CommandError(`${noHost(options)}\nOr name one with: --host URL --token-file FILE`);
  }
  const url = running.socket === undefined ? running.url : `unix:${running.socket}`;
  const token = readToken(options.tokenFile ?? running.tokenFile);
  return { name: 'local', url, token, again: () => localHost(options) };
}

export function noHost(options: CommonOptions): string {
  const same = options.dataDir === undefined ? '' : ` --data-dir ${options.dataDir}`;
  return `no host is running (looked in ${dataFolder(options)})\nStart one with: moorage host start${same}`;
}

export function dataFolder({ dataDir }: CommonOptions): string {
  return resolve(dataDir ?? defaultDataFolder());
}

/** What the host of a data folder wrote about itself, if its process still exists. */
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
  const [gateway = '', ...member] = isUrl ? [] : name.split('/');
  const configured = isUrl ? undefined : readClientConfig().hosts[gateway];
  if (!isUrl && !configured) {
    throw new UsageError(
      `there is no host named "${gateway}" in ${configFile()}\nAdd it with: moorage host add ${gateway} URL --token-file FILE\nOr give a URL, such as ws://127.0.0.1:7433/`,
    );
  }
  const file = tokenFile ?? configured?.tokenFile;
  const token = file === undefined ? process.env.MOORAGE_TOKEN || undefined : readToken(expandHome(file));
  const url = configured?.url ?? name;
  return isUrl || member.length === 0 ? { name, url, token } : { name: gateway, url, token, member: member.join('/') };
}

function readToken(file: string): string {
  return readNamedFile('token', file).trim();
}
