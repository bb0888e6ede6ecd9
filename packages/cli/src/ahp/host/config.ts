import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject } from '@ahpd/protocol';
import { type ParseError, parse } from 'jsonc-parser';
import { UsageError } from '../../usage-error.js';
import { isTokenSources, type TokenSources } from '../auth/sources.js';

interface NamedHost {
  readonly url: string;
  readonly tokenFile?: string;
}

/** What the user keeps in `ahp/config.json` of the configuration folder (XDG). */
export interface AhpConfig {
  readonly hosts: Readonly<Record<string, NamedHost>>;
  /** The name of the host that is meant when nothing else says so. */
  readonly default?: string;
  /** Where tokens for what agents protect come from. */
  readonly tokens?: TokenSources;
}

export function configFile(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'ahp', 'config.json');
}

/** The configuration; an empty one when there is no file. JSON with comments is fine. */
export function readAhpConfig(): AhpConfig {
  const file = configFile();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { hosts: {} };
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(value)) throw new UsageError(`${file} is not JSON: correct it or remove it`);
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
    hosts: hosts as AhpConfig['hosts'],
    ...(byDefault !== undefined && { default: byDefault }),
    ...(tokens !== undefined && { tokens }),
  };
}

export function writeAhpConfig(config: AhpConfig): void {
  const file = configFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
}

function isNamedHost(value: unknown): value is NamedHost {
  if (!isObject(value) || typeof value.url !== 'string') return false;
  return value.tokenFile === undefined || typeof value.tokenFile === 'string';
}
