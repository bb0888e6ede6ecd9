import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentStatus } from '@moorage/protocol';
import { configFile } from '../../config-file.js';
import { configurationOf, type ModelServer, modelServers } from '../../model-servers.js';
import type { CommonOptions } from '../command.js';
import { agentStates } from './agent-states.js';
import { readClientConfig } from './config.js';
import { dataFolder, findHost } from './find.js';
import { gitVersion } from './git-version.js';
import { openHost } from './open.js';

export interface Check {
  readonly name: string;
  readonly state: 'good' | 'unsure' | 'bad';
  readonly found: string;
  /** What to do about it. */
  readonly fix?: string;
}

const MIN_NODE = [20, 19] as const;
const MIN_GIT = [2, 31] as const;

export async function runChecks(options: CommonOptions): Promise<Check[]> {
  return [checkNode(), checkGit(), checkConfig(), ...checkDataFolder(options), ...(await checkHost(options))];
}

function checkNode(): Check {
  const found = process.versions.node;
  if (isAtLeast(found, MIN_NODE)) return { name: 'node', state: 'good', found };
  return { name: 'node', state: 'bad', found, fix: `install Node ${MIN_NODE.join('.')} or newer` };
}

function checkGit(): Check {
  const found = gitVersion();
  if (found === undefined)
    return { name: 'git', state: 'bad', found: 'not installed', fix: 'install git; sessions and moorage diff need it' };
  if (isAtLeast(found, MIN_GIT)) return { name: 'git', state: 'good', found };
  return { name: 'git', state: 'unsure', found, fix: `install git ${MIN_GIT.join('.')} or newer` };
}

function checkConfig(): Check {
  try {
    const count = Object.keys(readClientConfig().hosts).length;
    return { name: 'config', state: 'good', found: `${configFile()} (${count} named hosts)` };
  } catch (error) {
    return { name: 'config', state: 'bad', found: (error as Error).message, fix: 'correct the file, or remove it' };
  }
}

/** Whoever can read the token can use the host. */
function checkDataFolder(options: CommonOptions): Check[] {
  const folder = dataFolder(options);
  const mine = statSync(folder, { throwIfNoEntry: false });
  if (!mine)
    return [
      { name: 'data folder', state: 'unsure', found: `${folder} is not there yet`, fix: 'moorage host start makes it' },
    ];
  return [folder, join(folder, 'token')].flatMap((path): Check[] => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined) return [];
    const name = path === folder ? 'data folder' : 'token';
    const isOpen = path !== folder && (mode & 0o077) !== 0;
    if (!isOpen) return [{ name, state: 'good', found: path }];
    return [{ name, state: 'bad', found: `${path} can be read by others`, fix: `chmod 600 ${path}` }];
  });
}

async function checkHost(options: CommonOptions): Promise<Check[]> {
  try {
    const target = findHost(options);
    const client = await openHost(target);
    try {
      const host: Check = { name: 'host', state: 'good', found: `${target.url}, protocol ${client.protocolVersion}` };
      const agents = await agentStates(client, true);
      const offers = await modelServers();
      return [host, ...checkAgents(agents), ...(target.name === 'local' ? offers.map(offerOf) : [])];
    } finally {
      client.close();
    }
  } catch (error) {
    const [found = '', ...advice] = (error as Error).message.split('\n');
    return [{ name: 'host', state: 'bad', found, ...(advice[0] !== undefined && { fix: advice[0] }) }];
  }
}

function checkAgents(agents: readonly AgentStatus[]): Check[] {
  const isUsable = ({ state }: AgentStatus) => state === 'ready';
  const usable = agents.filter(isUsable).map(({ provider }) => provider);
  const fix = "name some in the host's configuration file";
  const all: Check =
    usable.length > 0
      ? { name: 'agents', state: 'good', found: usable.join(', ') }
      : { name: 'agents', state: 'bad', found: 'none can be used', fix };
  const others = agents.filter((agent) => !isUsable(agent));
  return [
    all,
    ...others.map(({ provider, displayName, state, description, command }): Check => {
      const why = state === 'cannot be used' ? description : `${displayName} is ${state}`;
      return { name: provider, state: 'unsure', found: why, ...(command !== undefined && { fix: command }) };
    }),
  ];
}

function offerOf(server: ModelServer): Check {
  const found = `${server.name} serves ${server.models.join(', ')} at ${server.baseURL}`;
  return { name: 'models', state: 'unsure', found, fix: `add to ${configFile()}: ${configurationOf(server)}` };
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number);
  return a > major || (a === major && b >= minor);
}
