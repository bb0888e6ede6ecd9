import { isObject } from '@moorage/protocol';
import { changeConfig, readConfigText } from '../../config/edit.js';
import { configFile } from '../../config-file.js';
import { parseJsonc } from '../../jsonc.js';
import { UsageError } from '../../usage-error.js';
import { isTokenSources, type TokenSources } from '../auth/sources.js';

interface NamedHost {
  readonly url: string;
  readonly tokenFile?: string;
}

/** The user's own settings, in the configuration file that the host reads, too. */
export interface ClientConfig {
  readonly hosts: Readonly<Record<string, NamedHost>>;
  /** The name of the host that `moorage` talks to unless it is told otherwise. */
  readonly default?: string;
  /** Where tokens for what agents protect come from. */
  readonly tokens?: TokenSources;
}

/** The configuration; an empty one when there is no file. */
export function readClientConfig(): ClientConfig {
  const file = configFile();
  const value = parseJsonc(file, readConfigText(file));
  if (!isObject(value)) throw new UsageError(`${file}: expected an object; correct it or remove it`);
  const hosts = value.hosts ?? {};
  if (!isObject(hosts)) throw new UsageError(`${file}: hosts: expected an object of named hosts`);
  for (const [name, host] of Object.entries(hosts)) {
    if (isNamedHost(host)) continue;
    throw new UsageError(`${file}: hosts.${name}: expected { "url": "...", "tokenFile": "..." }`);
  }
  if (value.default !== undefined && typeof value.default !== 'string') {
    throw new UsageError(`${file}: default: expected the name of a host`);
  }
  const { default: byDefault, tokens } = value;
  if (tokens !== undefined && !isTokenSources(tokens)) {
    throw new UsageError(`${file}: tokens: expected { "HOST": { "RESOURCE": { "env": "..." } } }`);
  }
  return {
    hosts: hosts as ClientConfig['hosts'],
    ...(byDefault !== undefined && { default: byDefault }),
    ...(tokens !== undefined && { tokens }),
  };
}

/** Sets one value of the file, or removes it when it is undefined. */
export function changeClientConfig(path: string[], value: unknown): void {
  readClientConfig(); // a broken file is refused, not edited
  changeConfig(configFile(), path, value);
}

function isNamedHost(value: unknown): value is NamedHost {
  if (!isObject(value) || typeof value.url !== 'string') return false;
  return value.tokenFile === undefined || typeof value.tokenFile === 'string';
}
